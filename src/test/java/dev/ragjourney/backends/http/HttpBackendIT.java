package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpBackendIT {
  private static final List<Passage> PASSAGES =
      List.of(
          new Passage("a#1", "", "a tree", 3),
          new Passage("a#2", "", "the reading room opens at nine", 2),
          new Passage("a#3", "", "the room", 1));

  private ScriptedBackend server;
  private RemoteBackend open;

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
  void a_search_gives_passages_best_first_and_says_what_was_asked() throws Exception {
    CutCall call = CutCall.unhurried();
    SearchQuery query = new SearchQuery("reading room opens", new float[] {0.5f, 1}, 2, false);

    PassagesFound found = call.run(() -> search().search(call.stageCall(), query));

    assertThat(found.passages()).hasSize(2);
    assertThat(found.passages().getFirst().id()).isEqualTo("library.txt#0");
    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path("vector").toString()).isEqualTo("[0.5,1.0]");
    assertThat(sent.path("topK").asInt()).isEqualTo(2);
    assertThat(sent.path("remainingMs").asLong()).isBetween(1L, 20_000L);
    assertThat(server.onlyExchange().header("x-rag-remaining-ms")).isNotNull();
    assertThat(server.onlyExchange().header("user-agent")).isEqualTo("ragjourney");
  }

  @Test
  void a_search_that_finds_nothing_is_an_answer() throws Exception {
    server.script("search", Behaviour.faulty(Fault.Kind.EMPTY));

    assertThat(run(StageType.SEARCH)).isEqualTo(PassagesFound.whole(List.of()));
  }

  @Test
  void a_rerank_gives_the_same_passages_in_a_better_order() throws Exception {
    PassagesFound found = (PassagesFound) run(StageType.RERANK);

    assertThat(found.passages()).extracting(Passage::id).containsExactly("a#2", "a#3", "a#1");
  }

  @Test
  void a_rerank_of_nothing_asks_nobody() throws Exception {
    CutCall call = CutCall.unhurried();

    var found =
        call.run(
            () ->
                ((Reranker) port(StageType.RERANK, "/http/rerank"))
                    .rerank(call.stageCall(), "q", List.of()));

    assertThat(found.passages()).isEmpty();
    assertThat(server.exchanges()).isEmpty();
  }

  @Test
  void a_rewrite_gives_the_new_question() throws Exception {
    server.script("rewrite", Behaviour.PLAIN.withText(" opening hours "));

    assertThat(run(StageType.REWRITE)).isEqualTo("opening hours");
  }

  @Test
  void an_embedding_is_a_vector_of_the_declared_dimension() throws Exception {
    server.script("http-embed", Behaviour.PLAIN.withDimension(8));

    assertThat((float[]) run(StageType.EMBED)).hasSize(8);
  }

  @ParameterizedTest(name = "{0} with {1} is one failure: {2}")
  @CsvSource({
    "SEARCH,ERROR_SHAPED_200,INVALID_ANSWER",
    "SEARCH,GARBAGE,INVALID_ANSWER",
    "SEARCH,TRUNCATED_JSON,INVALID_ANSWER",
    "SEARCH,ENDLESS_BODY,INVALID_ANSWER",
    "SEARCH,NOT_A_NUMBER,INVALID_ANSWER",
    "SEARCH,INFINITE_NUMBER,INVALID_ANSWER",
    "SEARCH,RESET,UNAVAILABLE",
    "SEARCH,RESET_IN_BODY,UNAVAILABLE",
    "SEARCH,HALF_CLOSE,UNAVAILABLE",
    "SEARCH,REDIRECT,REFUSED",
    "RERANK,EMPTY,INVALID_ANSWER",
    "RERANK,NOT_A_NUMBER,INVALID_ANSWER",
    "RERANK,INFINITE_NUMBER,INVALID_ANSWER",
    "RERANK,BAD_INDEX,INVALID_ANSWER",
    "RERANK,DUPLICATE_RESULT,INVALID_ANSWER",
    "RERANK,MISSING_RESULT,INVALID_ANSWER",
    "REWRITE,EMPTY,INVALID_ANSWER",
    "EMBED,EMPTY,INVALID_ANSWER",
    "EMBED,WRONG_DIMENSION,INVALID_ANSWER",
    "EMBED,NOT_A_NUMBER,INVALID_ANSWER",
    "EMBED,INFINITE_NUMBER,INVALID_ANSWER"
  })
  void a_fault(StageType stage, Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault).withDimension(8));

    assertFails(() -> run(stage), expected);
    assertThat(server.exchanges()).hasSize(1);
    await().until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN);
    open.close();
    await().until(() -> server.connectionsOpen() == 0);
  }

  @Test
  void an_error_shaped_answer_is_called_what_it_is() {
    server.script("*", Behaviour.faulty(Fault.Kind.ERROR_SHAPED_200));

    assertThat(assertFails(() -> run(StageType.SEARCH), Kind.INVALID_ANSWER))
        .hasMessage("docs: an error with status 200 (server_error)");
  }

  @ParameterizedTest(name = "status {0} costs one request and is {1}")
  @CsvSource({
    "400,REFUSED",
    "401,REFUSED",
    "408,BACKEND_TIMEOUT",
    "413,REFUSED",
    "429,OVERLOADED",
    "500,SERVER_ERROR",
    "503,OVERLOADED",
    "504,BACKEND_TIMEOUT"
  })
  void a_status(int status, Kind expected) {
    server.script("*", Behaviour.PLAIN.with(Fault.status(status, 7)));

    BackendException failure = assertFails(() -> run(StageType.SEARCH), expected);

    assertThat(failure).hasMessageContainingAll("status " + status, "asks to wait 7 s");
    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest(name = "a {0} that is told too late is not sent")
  @EnumSource(
      value = StageType.class,
      names = {"SEARCH", "RERANK", "REWRITE", "EMBED"})
  void no_time(StageType stage) {
    CutCall call = CutCall.lasting(Duration.ofNanos(500_000));

    assertThatThrownBy(() -> call.run(() -> work(stage, call.stageCall())))
        .isInstanceOf(CallCancelledException.class);
    assertThat(server.connectionsOpened()).isZero();
  }

  @Test
  void a_call_that_is_over_already_is_not_sent() {
    CutCall call = CutCall.unhurried();
    call.cancel();

    assertThatThrownBy(() -> call.run(() -> work(StageType.SEARCH, call.stageCall())))
        .isInstanceOf(CallCancelledException.class);
    assertThat(server.connectionsOpened()).isZero();
  }

  @Test
  void a_refused_connection_is_unavailable() throws IOException {
    int unused;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unused = socket.getLocalPort();
    }
    open =
        HttpBackend.open(
            Backends.plan("docs", "http", URI.create("http://127.0.0.1:" + unused + "/http/x")),
            Path.of("/none"));
    CutCall call = CutCall.unhurried();

    BackendException failure =
        assertFails(
            () ->
                call.run(
                    () ->
                        ((Rewriter) open.port(StageType.REWRITE))
                            .rewrite(call.stageCall(), "q", List.of(), "")),
            Kind.UNAVAILABLE);
    assertThat(failure).hasMessage("docs: no connection: refused, or no such host");
  }

  @Test
  void an_answer_that_comes_after_the_cut_is_not_read() throws Exception {
    server.script("*", Behaviour.delayed(150));
    CutCall call = CutCall.unhurried();

    call.assertCutOff(server, () -> work(StageType.SEARCH, call.stageCall()), call::cancel);
  }

  @Test
  void a_cancellation_after_the_answer_leaves_the_connection_to_others() throws Exception {
    CutCall first = CutCall.unhurried();
    RemoteBackend backend = backend("/http/search");
    PassageSearch search = (PassageSearch) backend.port(StageType.SEARCH);
    SearchQuery query = new SearchQuery("q", null, 1, false);
    first.run(() -> search.search(first.stageCall(), query));

    first.cancel();
    CutCall second = CutCall.unhurried();
    second.run(() -> search.search(second.stageCall(), query));

    assertThat(server.connectionsOpened()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = "GENERATE")
  void stages_that_it_does_not_serve_are_refused(StageType type) {
    assertThatThrownBy(() -> backend("/http/search").port(type))
        .hasMessage("backends[docs] is http and serves no " + type.label());
  }

  private Object run(StageType stage) throws Exception {
    CutCall call = CutCall.unhurried();
    return call.run(() -> work(stage, call.stageCall()));
  }

  private Object work(StageType stage, StageCall call) throws Exception {
    return switch (stage) {
      case SEARCH -> search().search(call, new SearchQuery("the room", null, 5, true));
      case RERANK ->
          ((Reranker) port(stage, "/http/rerank")).rerank(call, "reading room", PASSAGES);
      case REWRITE ->
          ((Rewriter) port(stage, "/http/rewrite")).rewrite(call, "when?", List.of(), "");
      case EMBED -> ((Embedder) port(stage, "/http/embed")).embed(call, "when?");
      case GENERATE, TOOL -> throw new IllegalArgumentException();
    };
  }

  private PassageSearch search() {
    return (PassageSearch) port(StageType.SEARCH, "/http/search");
  }

  private Object port(StageType type, String path) {
    return backend(path).port(type);
  }

  private RemoteBackend backend(String path) {
    open =
        HttpBackend.open(
            Backends.plan("docs", "http", server.url(path), "dimensions", "8"), Path.of("/none"));
    return open;
  }

  private static BackendException assertFails(Callable<?> work, Kind expected) {
    BackendException[] failure = new BackendException[1];
    assertThatThrownBy(work::call)
        .isInstanceOfSatisfying(BackendException.class, thrown -> failure[0] = thrown);
    assertThat(failure[0].kind()).as(failure[0].getMessage()).isEqualTo(expected);
    assertThat(failure[0]).hasNoCause();
    return failure[0];
  }
}
