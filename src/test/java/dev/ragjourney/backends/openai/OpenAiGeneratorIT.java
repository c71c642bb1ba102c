package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.DelayLaw;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.Protocol;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiGeneratorIT {
  private static final Prompt PROMPT =
      new Prompt(
          "When does it open?",
          List.of(new Passage("a#1", "Hours", "It opens at nine.", 1)),
          "",
          false,
          50,
          null);

  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private ScriptedBackend server;
  private OpenAiBackend backend;
  private Generator generator;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    backend =
        OpenAiBackend.open(
            Backends.plan("llm", "openai", server.url("/v1"), "model", "m"), Path.of("/none"));
    generator = (Generator) backend.port(StageType.GENERATE);
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void the_content_comes_token_by_token_and_the_completion_tells_its_end_and_its_size()
      throws Exception {
    server.script(Protocol.CHAT, Behaviour.PLAIN.withText("At nine [1]."));

    Completion completion = generate(CutCall.unhurried());

    assertThat(tokens).containsExactly("At", " nine", " [1].");
    assertThat(completion).isEqualTo(new Completion("stop", 7, 3));
  }

  @Test
  void the_request_has_instructions_numbered_passages_the_question_and_the_limit()
      throws Exception {
    generate(CutCall.unhurried());

    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path("model").asText()).isEqualTo("m");
    assertThat(sent.path("stream").asBoolean()).isTrue();
    assertThat(sent.path("stream_options").path("include_usage").asBoolean()).isTrue();
    assertThat(sent.path("max_tokens").asInt()).isEqualTo(50);
    assertThat(sent.path("messages").get(0).path("role").asText()).isEqualTo("system");
    assertThat(sent.path("messages").get(1).path("content").asText())
        .isEqualTo("Passages:\n\n[1] Hours\nIt opens at nine.\n\nQuestion: When does it open?");
  }

  @Test
  void the_time_left_and_the_trace_go_along_and_no_key_where_none_is_configured() throws Exception {
    String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    generate(CutCall.traced(traceparent));

    Exchange seen = server.onlyExchange();
    assertThat(Long.parseLong(seen.headers().get("x-rag-remaining-ms"))).isBetween(1L, 20_000L);
    assertThat(Long.parseLong(seen.headers().get("x-slo-ttft-ms"))).isBetween(1L, 20_000L);
    assertThat(seen.header("traceparent")).isEqualTo(traceparent);
    assertThat(seen.headers()).doesNotContainKey("authorization");
    assertThat(seen.headers().toString()).doesNotContain("set-by-the-transport");
  }

  @Test
  void ten_answers_use_one_connection() throws Exception {
    for (int i = 0; i < 10; i++) {
      generate(CutCall.unhurried());
    }

    assertThat(server.connectionsOpened()).isEqualTo(1);
  }

  @Test
  void roles_comments_and_keep_alives_are_no_tokens() throws Exception {
    server.script(
        Protocol.CHAT,
        Behaviour.faulty(Fault.Kind.KEEP_ALIVES).with(DelayLaw.fixed(100)).withText("now"));

    generate(CutCall.unhurried());

    assertThat(tokens).containsExactly("now");
  }

  @ParameterizedTest(name = "{0} is one failure: {1}")
  @CsvSource({
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "NO_FINISH_REASON,INVALID_ANSWER",
    "EMPTY,INVALID_ANSWER",
    "ERROR_IN_STREAM,INVALID_ANSWER",
    "ENDLESS_BODY,INVALID_ANSWER",
    "RESET,UNAVAILABLE",
    "RESET_IN_BODY,UNAVAILABLE",
    "HALF_CLOSE,UNAVAILABLE",
    "REDIRECT,REFUSED"
  })
  void a_fault(Fault.Kind fault, Kind expected) {
    server.script(Protocol.CHAT, Behaviour.faulty(fault));

    assertFails(expected);
    assertNothingStaysOpen();
  }

  @ParameterizedTest(name = "status {0} costs one request and is {1}")
  @CsvSource({
    "400,REFUSED",
    "401,REFUSED",
    "404,REFUSED",
    "408,BACKEND_TIMEOUT",
    "409,REFUSED",
    "429,OVERLOADED",
    "500,SERVER_ERROR",
    "502,SERVER_ERROR",
    "503,OVERLOADED",
    "504,BACKEND_TIMEOUT"
  })
  void a_status(int status, Kind expected) {
    server.script(Protocol.CHAT, Behaviour.status(status));

    assertFails(expected);
  }

  @ParameterizedTest(name = "cut off in {0}, the connection is closed")
  @ValueSource(
      strings = {"HANG_BEFORE_HEADERS", "HANG_IN_BODY", "SLOW_DRIP", "KEEP_ALIVES_FOREVER"})
  void cutting(Fault.Kind fault) throws Exception {
    server.script(Protocol.CHAT, Behaviour.faulty(fault));
    for (boolean byInterrupt : new boolean[] {true, false}) {
      server.reset();
      server.script(Protocol.CHAT, Behaviour.faulty(fault));
      CutCall call = CutCall.unhurried();
      CompletableFuture<Completion> running = call.start(() -> answer(call));
      await().until(() -> server.exchanges().size() == 1);

      if (byInterrupt) {
        call.interrupt();
      } else {
        call.cancel();
      }

      assertThatThrownBy(() -> CutCall.result(running)).isInstanceOf(CallCancelledException.class);
      await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
    }
  }

  @Test
  void a_reader_that_wants_no_more_ends_the_stream_and_its_connection() {
    server.script(Protocol.CHAT, Behaviour.PLAIN.withText("a b c d e").withTokenGapMs(5));
    CutCall call = CutCall.unhurried();

    assertThatThrownBy(
            () ->
                call.run(
                    () ->
                        generator.generate(
                            call.stageCall(),
                            PROMPT,
                            token -> {
                              throw new CallCancelledException();
                            })))
        .isInstanceOf(CallCancelledException.class);
    await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
  }

  @Test
  void an_answer_is_complete_at_its_end_mark_even_if_the_stream_hangs_after_it() throws Exception {
    server.script(
        Protocol.CHAT, Behaviour.faulty(Fault.Kind.HANG_AFTER_FINISH).withText("At nine."));

    Completion completion = generate(CutCall.unhurried());

    assertThat(completion).isEqualTo(new Completion("stop", null, null));
    assertThat(tokens).containsExactly("At", " nine.");
    await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
  }

  @Test
  void with_less_than_a_millisecond_left_nothing_is_sent() {
    CutCall call = CutCall.lasting(Duration.ofNanos(900_000));

    assertThatThrownBy(() -> generate(call)).isInstanceOf(CallCancelledException.class);
    assertThat(server.connectionsOpened()).isZero();
  }

  private void assertFails(Kind expected) {
    assertThatThrownBy(() -> generate(CutCall.unhurried()))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(expected);
              assertThat(failure).hasNoCause();
              assertThat(failure.getMessage()).startsWith("llm: ").doesNotContain("opens at nine");
            });
    assertThat(server.exchanges()).hasSize(1);
  }

  private void assertNothingStaysOpen() {
    await().until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN);
    backend.close();
    await().until(() -> server.connectionsOpen() == 0);
  }

  private Completion generate(CutCall call) throws Exception {
    return call.run(() -> answer(call));
  }

  private Completion answer(CutCall call) throws Exception {
    return generator.generate(call.stageCall(), PROMPT, tokens::add);
  }
}
