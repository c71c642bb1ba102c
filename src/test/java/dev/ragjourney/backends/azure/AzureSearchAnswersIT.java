package dev.ragjourney.backends.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.support.AzurePlans;
import dev.ragjourney.support.CannedServer;
import dev.ragjourney.support.CutCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of the shapes that the service gives, and what is made of them. */
class AzureSearchAnswersIT {
  private static final String TWO =
      """
      {"@odata.context":"https://s.search.windows.net/indexes('library')/$metadata#docs(*)",\
      "value":[\
      {"@search.score":0.03,"@search.rerankerScore":2.5,"id":"b","title":"Hours","content":"Nine."},\
      {"@search.score":0.04,"@search.rerankerScore":1.5,"id":"a","title":null,"content":"Maps."}]}""";

  private static final String TWO_UNRANKED =
      """
      "value":[{"@search.score":4.5,"id":"a","content":"Maps."},\
      {"@search.score":3.5,"@search.rerankerScore":null,"id":"b","content":"Nine."}]}""";

  @TempDir Path secrets;
  private CannedServer server;
  private AzureSearchBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = CannedServer.start();
    Files.createDirectories(secrets.resolve("azure"));
    Files.writeString(secrets.resolve("azure/key"), "sesame-1");
    open("semanticConfiguration", "s", "titleField", "title", "vectorField", "v");
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  @Test
  void ranked_passages_come_in_the_rankers_order_with_its_scores() throws Exception {
    server.json(200, TWO);

    PassagesFound found = search(CutCall.unhurried());

    assertThat(found.passages())
        .containsExactly(
            new Passage("b", "Hours", "Nine.", 2.5), new Passage("a", "", "Maps.", 1.5));
    assertThat(found.degradedReason()).isNull();
    assertThat(server.onlyRequest().target())
        .isEqualTo("/indexes/library/docs/search?api-version=2024-07-01");
    assertThat(server.onlyRequest().headers().getFirst("api-key")).isEqualTo("sesame-1");
    assertThat(sent().path("queryType").asText()).isEqualTo("semantic");
    assertThat(sent().path("vectorQueries").get(0).path("vector")).hasSize(2);
  }

  @ParameterizedTest(name = "status {0} with the reason {1} is degraded: {2}")
  @CsvSource({
    "206,maxWaitExceeded,ranker_max_wait",
    "200,maxWaitExceeded,ranker_max_wait",
    "206,capacityOverloaded,ranker_overloaded",
    "206,transient,ranker_transient",
    "206,somethingNew,ranker_partial"
  })
  void partial(int status, String reason, String degraded) throws Exception {
    server.json(
        status,
        "{\"@search.semanticPartialResponseReason\":\""
            + reason
            + "\",\"@search.semanticPartialResponseType\":\"baseResults\","
            + TWO_UNRANKED);

    PassagesFound found = search(CutCall.unhurried());

    assertThat(found.degradedReason()).isEqualTo(degraded);
    assertThat(found.passages())
        .containsExactly(new Passage("a", "", "Maps.", 4.5), new Passage("b", "", "Nine.", 3.5));
  }

  @Test
  void an_answer_without_the_rankers_scores_is_degraded_whatever_it_says() throws Exception {
    server.json(200, "{" + TWO_UNRANKED);

    assertThat(search(CutCall.unhurried()).degradedReason()).isEqualTo("ranker_no_scores");
  }

  @Test
  void nothing_found_is_whole() throws Exception {
    server.json(200, "{\"value\":[]}");

    assertThat(search(CutCall.unhurried())).isEqualTo(new PassagesFound(java.util.List.of(), null));
  }

  @Test
  void without_a_ranker_declared_no_score_of_it_is_missed() throws Exception {
    open();
    server.json(200, "{" + TWO_UNRANKED);

    assertThat(search(CutCall.unhurried()).degradedReason()).isNull();
    assertThat(sent().has("queryType")).isFalse();
  }

  @Test
  void with_too_little_time_for_the_ranker_the_plain_query_is_sent_at_once() throws Exception {
    server.json(200, "{" + TWO_UNRANKED);

    PassagesFound found = search(CutCall.lasting(Duration.ofMillis(799)));

    assertThat(found.degradedReason()).isEqualTo("ranker_no_time");
    assertThat(found.passages()).hasSize(2);
    assertThat(sent().has("queryType")).isFalse();
    assertThat(sent().has("semanticMaxWaitInMilliseconds")).isFalse();
    assertThat(sent().path("vectorQueries")).hasSize(1);
  }

  @Test
  void words_without_a_vector_are_ranked_too() throws Exception {
    server.json(200, TWO);
    CutCall call = CutCall.unhurried();

    PassagesFound found =
        call.run(
            () ->
                backend
                    .port(StageType.SEARCH)
                    .search(call.stageCall(), new SearchQuery("hours", null, 10, true)));

    assertThat(found.passages()).hasSize(2);
    assertThat(found.degradedReason()).isNull();
    assertThat(sent().has("vectorQueries")).isFalse();
  }

  @Test
  void a_document_without_text_is_left_out() throws Exception {
    server.json(
        200,
        """
        {"value":[{"@search.score":2,"@search.rerankerScore":2,"id":"a","content":null},\
        {"@search.score":1,"@search.rerankerScore":1,"id":"b","content":"Nine."}]}""");

    assertThat(search(CutCall.unhurried()).passages()).extracting(Passage::id).containsExactly("b");
  }

  @ParameterizedTest(name = "{0} is no answer: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | the answer has no list \"value\"",
        "{\"value\":{}} | the answer has no list \"value\"",
        "[1] | the answer has no list \"value\"",
        "<html> | the answer is no JSON",
        "{\"value\":[{\"@search.score\":1,\"content\":\"x\"}]} | value[0] has no key in its field id",
        "{\"value\":[{\"id\":\"a\",\"content\":\"x\"}]} | value[0].@search.score is no finite number",
        "{\"value\":[{\"@search.score\":\"1\",\"id\":\"a\",\"content\":\"x\"}]} | value[0].@search.score is no finite number",
        "{\"value\":[{\"@search.score\":1e999,\"id\":\"a\",\"content\":\"x\"}]} | value[0].@search.score is no finite number",
        "{\"value\":[{\"@search.score\":1,\"id\":7,\"content\":\"x\"}]} | value[0].id is no text",
        "{\"value\":[{\"@search.score\":1,\"id\":\"a\",\"content\":[]}]} | value[0].content is no text",
        "{\"value\":[{\"@search.score\":1,\"id\":\"a\",\"content\":\"x\"},{\"@search.score\":1,\"id\":\"a\",\"content\":\"x\"}]} | value[1] is there already",
        "{\"error\":{\"code\":\"Internal\"}} | an error with status 200 (Internal)"
      })
  void wrong_shapes(String answer, String complaint) {
    server.json(200, answer);

    assertFails(Kind.INVALID_ANSWER, "docs: " + complaint);
  }

  @ParameterizedTest(name = "status {0} with the code {1} is {2}: {3}")
  @CsvSource({
    "401,'',REFUSED,docs: status 401 (the key is not accepted)",
    "403,'',REFUSED,docs: status 403 (the key is not accepted)",
    "404,'',REFUSED,docs: status 404 (no index of that name)",
    "404,ResourceNotFound,REFUSED,docs: status 404 (ResourceNotFound)",
    "400,InvalidRequestParameter,REFUSED,docs: status 400 (InvalidRequestParameter)",
    "500,'',SERVER_ERROR,docs: status 500",
    "503,'',OVERLOADED,docs: status 503"
  })
  void statuses(int status, String code, Kind kind, String message) {
    server.json(
        status,
        "{\"error\":{\"code\":\"" + code + "\",\"message\":\"sesame-1 is not the key of hours\"}}");

    assertFails(kind, message);
  }

  @Test
  void a_rate_limit_says_how_long_to_wait() {
    server.json(429, "{\"error\":{\"code\":\"\",\"message\":\"slow down\"}}", "Retry-After", "3");

    assertThatThrownBy(() -> search(CutCall.unhurried()))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.OVERLOADED);
              assertThat(failure.retryAfterNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
            });
    assertThat(server.seen()).hasSize(1);
  }

  private void open(String... settings) {
    if (backend != null) {
      backend.close();
    }
    backend =
        AzureSearchBackend.open(AzurePlans.search(server.url(""), "library", settings), secrets);
  }

  private JsonNode sent() throws IOException {
    return new ObjectMapper().readTree(server.onlyRequest().body());
  }

  private void assertFails(Kind expected, String message) {
    assertThatThrownBy(() -> search(CutCall.unhurried()))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected))
        .hasMessage(message)
        .hasNoCause();
    assertThat(server.seen()).hasSize(1);
  }

  private PassagesFound search(CutCall call) throws Exception {
    SearchQuery query = new SearchQuery("hours", new float[] {0.5f, 0.25f}, 10, false);
    return call.run(() -> backend.port(StageType.SEARCH).search(call.stageCall(), query));
  }
}
