package dev.ragjourney.backends.qdrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QdrantCollectionTest {
  @ParameterizedTest(name = "with {0} ms of the call and {1} ms of the journey left: {2} s")
  @CsvSource({"180,180,1", "180,1000,1", "180,1001,2", "180,7500,8", "2500,1000,3", "0,0,1"})
  void the_server_may_search_for_as_long_as_anybody_waits_in_whole_seconds(
      long callMillis, long journeyMillis, long seconds) {
    QdrantCollection collection = QdrantCollection.named(URI.create("http://q:6333"), "c");

    assertThat(collection.query(call(callMillis, journeyMillis)))
        .hasToString("http://q:6333/collections/c/points/query?timeout=" + seconds);
  }

  @ParameterizedTest(name = "collection {1} at {0} is asked at {2}")
  @CsvSource({
    "http://q,a b,http://q/collections/a%20b/points/query?timeout=1",
    "http://q/,a/b?c,http://q/collections/a%2Fb%3Fc/points/query?timeout=1",
    "http://q/proxy?tenant=1,c,http://q/proxy/collections/c/points/query?tenant=1&timeout=1"
  })
  void addresses(String url, String name, String expected) {
    QdrantCollection collection =
        QdrantCollection.of(Backends.plan("docs", "qdrant", URI.create(url), "collection", name));

    assertThat(collection.query(call(100, 100))).hasToString(expected);
  }

  @Test
  void what_is_not_said_has_defaults() {
    BackendPlan plan = Backends.plan("docs", "qdrant", URI.create("http://q"), "collection", "c");

    assertThat(QdrantCollection.of(plan))
        .isEqualTo(
            new QdrantCollection(URI.create("http://q"), "c", "content", "title", null, null));
  }

  @ParameterizedTest(name = "{0} \"{1}\" is refused")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          collection | ''   | backends[docs].qdrant.collection is missing, must be the name of a collection
          ef         | 0    | backends[docs].qdrant.ef is "0", must be a whole number above 0
          ef         | many | backends[docs].qdrant.ef is "many", must be a whole number above 0
          url        | q    | backends[docs].qdrant.url is "q", must begin with http:// or https:// and a host
          """)
  void settings(String setting, String value, String message) {
    BackendPlan plan =
        Backends.plan("docs", "qdrant", URI.create("http://q"), "collection", "c", setting, value);

    assertThatThrownBy(() -> QdrantCollection.of(plan)).hasMessage(message);
  }

  private static StageCall call(long callMillis, long journeyMillis) {
    return new StageCall(
        "search",
        0,
        StageCall.Role.PRIMARY,
        () -> 0,
        TimeUnit.MILLISECONDS.toNanos(callMillis),
        TimeUnit.MILLISECONDS.toNanos(journeyMillis),
        Cancellation.NONE,
        null);
  }
}
