package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.Tool;
import dev.ragjourney.pipeline.ToolInput;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service of the user's own as a Tool, over real sockets. */
@Timeout(60)
class ToolIT {
  private static final ToolInput ASKED =
      new ToolInput(
          "will it rain?",
          new float[] {0.5f, 1},
          List.of(new Passage("a#1", "A", "a tree", 3)),
          null);

  private ScriptedBackend server;
  private HttpBackend open;

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

  private Tool tool(String... settings) {
    open =
        HttpBackend.open(
            Backends.plan("weather", "http", server.url("/http/tool"), settings), Path.of("."));
    return (Tool) open.port(StageType.TOOL);
  }

  private static String call(Tool tool, ToolInput input) throws Exception {
    CutCall call = CutCall.unhurried();
    return call.run(() -> tool.call(call.stageCall(), input));
  }

  private JsonNode sent() throws IOException {
    return new ObjectMapper().readTree(server.onlyExchange().body());
  }

  @Test
  void without_a_mapping_the_question_is_posted_and_the_text_is_read() throws Exception {
    server.script("tool", Behaviour.PLAIN.withText("It will."));

    assertThat(call(tool(), ASKED)).isEqualTo("It will.");

    assertThat(server.onlyExchange().header(":method")).isEqualTo("POST");
    assertThat(sent().path("question").asText()).isEqualTo("will it rain?");
    assertThat(sent().path("remainingMs").asLong()).isBetween(1L, 20_000L);
    assertThat(sent().size()).isEqualTo(2);
    assertThat(server.onlyExchange().header("x-rag-remaining-ms")).isNotNull();
  }

  @Test
  void after_the_model_its_answer_is_sent_too() throws Exception {
    call(tool(), new ToolInput("will it rain?", null, List.of(), "Yes."));

    assertThat(sent().path("answer").asText()).isEqualTo("Yes.");
  }

  @Test
  void every_source_can_fill_a_field_of_any_name() throws Exception {
    call(
        tool(
            "method", "PUT",
            "request.q", "question",
            "request.v", "vector",
            "request.docs", "passages",
            "request.ms", "remainingMs"),
        ASKED);

    assertThat(server.onlyExchange().header(":method")).isEqualTo("PUT");
    assertThat(sent().path("q").asText()).isEqualTo("will it rain?");
    assertThat(sent().path("v").toString()).isEqualTo("[0.5,1.0]");
    assertThat(sent().at("/docs/0/text").asText()).isEqualTo("a tree");
    assertThat(sent().path("ms").isNumber()).isTrue();
  }

  @Test
  void a_get_sends_query_parameters_and_no_body() throws Exception {
    call(
        tool("method", "GET", "request.q", "question"),
        new ToolInput("a & b?", null, List.of(), null));

    assertThat(server.onlyExchange().header(":method")).isEqualTo("GET");
    assertThat(server.onlyExchange().body()).isEqualTo("q=a%20%26%20b%3F");
    assertThat(server.onlyExchange().header("content-type")).isNull();
  }

  @ParameterizedTest(name = "{0} gives {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "/result/degrees|12",
        "/result/days/1|tue",
        "/result|{\"degrees\":12,\"days\":[\"mon\",\"tue\"]}"
      })
  void a_pointer_finds_the_text(String pointer, String text) throws Exception {
    assertThat(call(tool("response.text", pointer), ASKED)).isEqualTo(text);
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "EMPTY,INVALID_ANSWER",
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "REDIRECT,REFUSED"
  })
  void a_fault(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));
    Tool tool = tool();

    BackendException failure =
        catchThrowableOfType(BackendException.class, () -> call(tool, ASKED));

    assertThat(failure.kind()).isEqualTo(expected);
    assertThat(server.exchanges()).hasSize(1);
  }

  @Test
  void an_answer_that_lacks_the_text_is_invalid() {
    Tool tool = tool("response.text", "/result/nothing");

    assertThat(catchThrowableOfType(BackendException.class, () -> call(tool, ASKED)))
        .hasMessage("weather: the answer has nothing at \"/result/nothing\"");
  }

  @Test
  void a_text_without_end_is_invalid() {
    server.script("tool", Behaviour.PLAIN.withText("x".repeat(ToolProtocol.MAX_TEXT + 1)));
    Tool tool = tool();

    assertThat(catchThrowableOfType(BackendException.class, () -> call(tool, ASKED)))
        .hasMessageContaining("at most 100000");
  }

  @Test
  void the_same_key_is_sent_with_every_attempt() throws Exception {
    Tool tool = tool("sideEffects", "true", "idempotencyHeader", "idempotency-key");
    MonotonicTime time = MonotonicTime.system();
    long end = time.nanos() + 20_000_000_000L;
    StageCall call =
        new StageCall(
            "book", 0, StageCall.Role.PRIMARY, time, end, end, Cancellation.NONE, null, "k-1");

    tool.call(call, ASKED);
    tool.call(call, ASKED);

    assertThat(tool.keyed()).isTrue();
    assertThat(tool.repeatable()).isTrue();
    assertThat(server.exchanges())
        .extracting(each -> each.header("idempotency-key"))
        .containsExactly("k-1", "k-1");
  }

  @Test
  void a_call_with_side_effects_and_no_key_is_not_repeatable() {
    assertThat(tool("sideEffects", "true").repeatable()).isFalse();
    assertThat(tool("sideEffects", "false").repeatable()).isTrue();
    assertThat(tool().repeatable()).isTrue();
  }

  @Test
  void a_tool_that_never_answers_is_closed_when_its_time_is_up() throws Exception {
    server.script("*", Behaviour.faulty(Fault.Kind.HANG_BEFORE_HEADERS));
    Tool tool = tool();
    CutCall call = CutCall.unhurried();
    var running = call.start(() -> tool.call(call.stageCall(), ASKED));
    await().until(() -> server.exchanges().size() == 1);

    call.cancel();

    await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
    assertThat(running).isNotNull();
  }
}
