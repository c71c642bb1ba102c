package dev.ragjourney.backends.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.support.AzurePlans;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureQueryTest {
  private static final float[] VECTOR = {0.5f, -0.25f};

  @Test
  void words_alone_where_no_vector_field_is_declared() {
    assertThat(query(index(), VECTOR, false, false))
        .hasToString("{\"search\":\"opening hours\",\"top\":3,\"select\":\"id,content\"}");
  }

  @Test
  void words_alone_where_there_is_no_vector_or_none_is_wanted() {
    AzureIndex index = index("vectorField", "v");

    assertThat(query(index, null, false, false).has("vectorQueries")).isFalse();
    assertThat(query(index, VECTOR, true, false).has("vectorQueries")).isFalse();
  }

  @Test
  void words_and_vector_in_one_query_with_enough_of_each_for_the_ranker() {
    assertThat(query(index("vectorField", "v"), VECTOR, false, false).path("vectorQueries"))
        .hasToString("[{\"kind\":\"vector\",\"fields\":\"v\",\"k\":50,\"vector\":[0.5,-0.25]}]");
  }

  @Test
  void the_ranker_is_asked_in_its_partial_mode_with_its_limit() {
    AzureIndex index = index("semanticConfiguration", "s", "rankerMaxWait", "900ms");

    assertThat(query(index, null, true, true))
        .hasToString(
            "{\"search\":\"opening hours\",\"top\":3,\"select\":\"id,content\","
                + "\"queryType\":\"semantic\",\"semanticConfiguration\":\"s\","
                + "\"semanticErrorHandling\":\"partial\",\"semanticMaxWaitInMilliseconds\":900}");
    assertThat(query(index, null, true, false).has("queryType")).isFalse();
  }

  @Test
  void the_ranker_may_take_700_ms_unless_more_is_declared() {
    assertThat(
            query(index("semanticConfiguration", "s"), null, true, true)
                .path("semanticMaxWaitInMilliseconds")
                .asInt())
        .isEqualTo(700);
  }

  @Test
  void only_the_fields_of_passages_are_fetched() {
    AzureIndex index = index("idField", "chunk_id", "contentField", "chunk", "titleField", "title");

    assertThat(query(index, null, true, false).path("select").asText())
        .isEqualTo("chunk_id,chunk,title");
  }

  @ParameterizedTest(name = "{0} is sent as {1}")
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '%',
      value = {
        "what is C++? ^ what is C\\+\\+?",
        "\"late\" fees | dues ^ \\\"late\\\" fees \\| dues",
        "a -b c-d ^ a \\-b c-d",
        "book* *star ^ book\\* *star",
        "(x) it's a\\b ^ \\(x\\) it\\'s a\\\\b"
      })
  void operators(String asked, String sent) {
    ObjectNode request =
        AzureQuery.of(
            index("semanticConfiguration", "s"), new SearchQuery(asked, null, 3, true), true);

    assertThat(request.path("search").asText()).isEqualTo(sent);
    assertThat(request.path("semanticQuery").asText()).isEqualTo(asked);
  }

  @Test
  void the_index_and_the_version_are_in_the_address() {
    AzureIndex index =
        AzureIndex.of(AzurePlans.search(URI.create("https://s.search.windows.net/"), "a b"));

    assertThat(index.url())
        .hasToString(
            "https://s.search.windows.net/indexes/a%20b/docs/search?api-version=2024-07-01");
  }

  @Test
  void a_wait_that_the_service_refuses_is_refused_before_it_is_asked() {
    assertThatThrownBy(() -> index("rankerMaxWait", "699ms"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("backends[docs].azureSearch.rankerMaxWait is 699ms, must be at least 700ms");
  }

  private static AzureIndex index(String... settings) {
    return AzureIndex.of(
        AzurePlans.search(URI.create("https://s.search.windows.net"), "library", settings));
  }

  private static ObjectNode query(
      AzureIndex index, float[] vector, boolean keywordOnly, boolean ranked) {
    return AzureQuery.of(index, new SearchQuery("opening hours", vector, 3, keywordOnly), ranked);
  }
}
