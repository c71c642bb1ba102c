package dev.ragjourney.backends.qdrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class QdrantBackendIT {
  private static final SearchQuery QUERY =
      new SearchQuery("hours", new float[] {0.5f, 1}, 3, false);

  @TempDir Path secrets;
  private ScriptedBackend server;
  private QdrantBackend open;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (open != null) {
      open.close();
    }
    server.close();
  }

  @Test
  void a_search_gives_passages_best_first_and_asks_for_no_more_than_they_need() throws Exception {
    PassagesFound found = search(plan("collection", "hand book"), QUERY);

    assertThat(found.passages()).hasSize(3);
    Passage best = found.passages().getFirst();
    assertThat(best.id()).isEqualTo("0");
    assertThat(best.title()).isEqualTo("Library handbook");
    assertThat(best.text()).startsWith("The reading room opens at nine");
    assertThat(best.score()).isEqualTo(1);
    assertThat(found.passages().get(1).id()).startsWith("9c27a4f0-");
    assertThat(server.onlyExchange().path()).isEqualTo("/collections/hand%20book/points/query");
    assertThat(server.onlyExchange().body())
        .isEqualTo("{\"query\":[0.5,1.0],\"limit\":3,\"with_payload\":[\"content\",\"title\"]}");
    assertThat(server.onlyExchange().header(":query")).isEqualTo("timeout=20");
    assertThat(server.onlyExchange().header("x-rag-remaining-ms")).isNotNull();
  }

  @Test
  void the_fields_of_the_payload_the_vector_and_the_candidates_are_the_declared_ones()
      throws Exception {
    BackendPlan plan =
        plan(
            "contentField",
            "doc.content",
            "titleField",
            "doc.meta.title",
            "vectorField",
            "dense",
            "ef",
            "128");

    PassagesFound found = search(plan, QUERY);

    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path("with_payload").toString())
        .isEqualTo("[\"doc.content\",\"doc.meta.title\"]");
    assertThat(sent.path("using").asText()).isEqualTo("dense");
    assertThat(sent.path("params").toString()).isEqualTo("{\"hnsw_ef\":128}");
    assertThat(found.passages().getFirst().text()).startsWith("The reading room");
    assertThat(found.passages().getFirst().title()).isEqualTo("Library handbook");
  }

  @Test
  void a_level_looks_at_fewer_candidates_than_the_backend_declares() throws Exception {
    search(plan("ef", "128"), new SearchQuery("hours", new float[] {1}, 3, 32, false));

    assertThat(server.onlyExchange().body()).endsWith("\"params\":{\"hnsw_ef\":32}}");
  }

  @Test
  void a_field_that_is_text_and_title_is_asked_for_once() throws Exception {
    search(plan("titleField", "content"), QUERY);

    assertThat(server.onlyExchange().body()).endsWith("\"with_payload\":[\"content\"]}");
  }

  @Test
  void a_search_for_no_passages_asks_nobody() throws Exception {
    SearchQuery none = new SearchQuery("hours", new float[] {1}, 0, false);

    assertThat(search(plan(), none)).isEqualTo(PassagesFound.whole(List.of()));
    assertThat(server.connectionsOpened()).isZero();
  }

  @Test
  void points_without_a_title_are_passages_all_the_same() throws Exception {
    PassagesFound found = search(plan("titleField", "headline"), QUERY);

    assertThat(found.passages()).hasSize(3).allMatch(passage -> passage.title().isEmpty());
  }

  @Test
  void a_search_that_finds_nothing_is_an_answer() throws Exception {
    server.script("qdrant", Behaviour.faulty(Fault.Kind.EMPTY));

    assertThat(search(plan(), QUERY)).isEqualTo(PassagesFound.whole(List.of()));
  }

  @Test
  void a_point_without_text_is_an_error_that_names_the_field() {
    assertFails(
        plan("contentField", "body"),
        Kind.INVALID_ANSWER,
        "docs: result.points[0].payload has no text in \"body\": see contentField");
  }

  @ParameterizedTest(name = "{0} is one failure: {1}")
  @CsvSource({
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "ENDLESS_BODY,INVALID_ANSWER",
    "NOT_A_NUMBER,INVALID_ANSWER",
    "INFINITE_NUMBER,INVALID_ANSWER",
    "DUPLICATE_RESULT,INVALID_ANSWER",
    "RESET,UNAVAILABLE",
    "RESET_IN_BODY,UNAVAILABLE",
    "HALF_CLOSE,UNAVAILABLE",
    "REDIRECT,REFUSED"
  })
  void a_fault(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertThat(assertFails(plan(), expected)).hasNoCause();
    assertThat(server.exchanges()).hasSize(1);
    await().until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN);
    open.close();
    await().until(() -> server.connectionsOpen() == 0);
  }

  @ParameterizedTest(name = "status {0} costs one request and is {1}")
  @CsvSource({
    "400,REFUSED",
    "401,REFUSED",
    "404,REFUSED",
    "408,BACKEND_TIMEOUT",
    "429,OVERLOADED",
    "500,SERVER_ERROR",
    "503,OVERLOADED"
  })
  void a_status(int status, Kind expected) {
    server.script("*", Behaviour.PLAIN.with(Fault.status(status, 7)));

    assertThat(assertFails(plan(), expected))
        .hasMessageContainingAll("docs: status " + status, "asks to wait 7 s");
    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest(name = "a call that is cut while the server does {0} closes its connection")
  @EnumSource(
      value = Fault.Kind.class,
      names = {"HANG_BEFORE_HEADERS", "HANG_IN_BODY", "SLOW_DRIP"})
  void a_cut(Fault.Kind fault) {
    server.script("*", Behaviour.faulty(fault));
    open = QdrantBackend.open(plan(), secrets);
    CutCall call = CutCall.unhurried();

    call.assertCutOff(
        server, () -> open.port(StageType.SEARCH).search(call.stageCall(), QUERY), call::cancel);
  }

  @Test
  void a_search_that_is_told_too_late_is_not_sent() {
    open = QdrantBackend.open(plan(), secrets);
    CutCall call = CutCall.lasting(Duration.ofNanos(500_000));

    assertThatThrownBy(
            () -> call.run(() -> open.port(StageType.SEARCH).search(call.stageCall(), QUERY)))
        .isInstanceOf(CallCancelledException.class);
    assertThat(server.connectionsOpened()).isZero();
  }

  @ParameterizedTest(name = "a question {0} is refused at once")
  @CsvSource({"without a vector,false,false", "that is to go by words,true,true"})
  void no_vector(String what, boolean vector, boolean keywordOnly) {
    SearchQuery query = new SearchQuery("hours", vector ? new float[] {1} : null, 3, keywordOnly);

    assertThatThrownBy(() -> search(plan(), query))
        .isInstanceOfSatisfying(
            BackendException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.REFUSED))
        .hasMessage(
            "docs: Qdrant searches by vector, and there is none of this question to search by");
    assertThat(server.connectionsOpened()).isZero();
  }

  @Test
  void the_key_goes_into_its_own_header_and_is_read_again_when_it_changes() throws Exception {
    Files.createDirectories(secrets.resolve("qdrant"));
    Path key = Files.writeString(secrets.resolve("qdrant/key"), "sesame-1\n");
    open = QdrantBackend.open(Backends.withApiKey(plan(), "qdrant/key"), secrets);
    ask();
    assertThat(server.onlyExchange().header("api-key")).isEqualTo("sesame-1");
    assertThat(server.onlyExchange().header("authorization")).isNull();

    Files.writeString(key, "sesame-2");

    await()
        .until(
            () -> {
              ask();
              return "sesame-2".equals(server.exchanges().getLast().header("api-key"));
            });
  }

  @Test
  void a_missing_key_is_told_before_any_question() {
    open = QdrantBackend.open(Backends.withApiKey(plan(), "qdrant/key"), secrets);

    assertThat(open.missing())
        .containsExactly(
            "key \"key\" of Secret or ConfigMap \"qdrant\" is not mounted or not readable");
  }

  @Test
  void a_warm_up_does_not_trouble_the_server() throws Exception {
    open =
        QdrantBackend.open(
            Backends.withApiKey(plan("contentField", "body"), "qdrant/key"), secrets);

    open.warmUp();

    assertThat(server.connectionsOpened()).isZero();
  }

  @ParameterizedTest(name = "it serves no {0}")
  @EnumSource(value = StageType.class, mode = EnumSource.Mode.EXCLUDE, names = "SEARCH")
  void other_stages_are_refused(StageType type) {
    open = QdrantBackend.open(plan(), secrets);

    assertThatThrownBy(() -> open.port(type))
        .hasMessage("backends[docs] is qdrant and serves no " + type.label());
  }

  private BackendPlan plan(String... settings) {
    List<String> all = new ArrayList<>(List.of("collection", "handbook"));
    all.addAll(List.of(settings));
    return Backends.plan("docs", "qdrant", server.url("/"), all.toArray(String[]::new));
  }

  private PassagesFound ask() throws Exception {
    CutCall call = CutCall.unhurried();
    return call.run(() -> open.port(StageType.SEARCH).search(call.stageCall(), QUERY));
  }

  private PassagesFound search(BackendPlan plan, SearchQuery query) throws Exception {
    open = QdrantBackend.open(plan, secrets);
    CutCall call = CutCall.unhurried();
    return call.run(() -> open.port(StageType.SEARCH).search(call.stageCall(), query));
  }

  private void assertFails(BackendPlan plan, Kind expected, String message) {
    assertThat(assertFails(plan, expected)).hasMessage(message);
  }

  private BackendException assertFails(BackendPlan plan, Kind expected) {
    BackendException[] failure = new BackendException[1];
    assertThatThrownBy(() -> search(plan, QUERY))
        .isInstanceOfSatisfying(BackendException.class, thrown -> failure[0] = thrown);
    assertThat(failure[0].kind()).as(failure[0].getMessage()).isEqualTo(expected);
    return failure[0];
  }
}
