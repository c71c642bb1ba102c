package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.Protocol;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiRewriterAndEmbedderIT {
  private ScriptedBackend server;
  private OpenAiBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    backend =
        OpenAiBackend.open(
            Backends.plan("llm", "openai", server.url("/v1"), "model", "m", "dimensions", "8"),
            Path.of("/none"));
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void a_rewritten_question_comes_without_the_quotes_around_it() throws Exception {
    server.script(Protocol.CHAT, Behaviour.PLAIN.withText(" \"opening hours reading room\"\n"));

    assertThat(rewrite()).isEqualTo("opening hours reading room");
    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path("messages").get(0).path("content").asText()).isEqualTo("Be brief.");
    assertThat(sent.path("messages").get(1).path("content").asText()).isEqualTo("When open?");
    assertThat(sent.has("stream")).isFalse();
  }

  @Test
  void a_model_that_talks_instead_of_rewriting_is_no_answer() {
    server.script(Protocol.CHAT, Behaviour.PLAIN.withText("well ".repeat(500)));

    assertFails(this::rewrite, Kind.INVALID_ANSWER);
  }

  @ParameterizedTest(name = "a rewrite with {0} is {1}")
  @CsvSource({
    "EMPTY,INVALID_ANSWER",
    "NO_FINISH_REASON,INVALID_ANSWER",
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "ENDLESS_BODY,INVALID_ANSWER",
    "RESET,UNAVAILABLE",
    "RESET_IN_BODY,UNAVAILABLE",
    "HALF_CLOSE,UNAVAILABLE"
  })
  void a_faulty_rewrite(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertFails(this::rewrite, expected);
  }

  @Test
  void an_embedding_has_the_dimension_asked_for() throws Exception {
    assertThat(embed()).hasSize(8);
    JsonNode sent = new ObjectMapper().readTree(server.onlyExchange().body());
    assertThat(sent.path("dimensions").asInt()).isEqualTo(8);
    assertThat(sent.path("input").asText()).isEqualTo("When open?");
    assertThat(sent.path("encoding_format").asText()).isEqualTo("float");
  }

  @ParameterizedTest(name = "an embedding with {0} is {1}")
  @CsvSource({
    "EMPTY,INVALID_ANSWER",
    "WRONG_DIMENSION,INVALID_ANSWER",
    "NOT_A_NUMBER,INVALID_ANSWER",
    "INFINITE_NUMBER,INVALID_ANSWER",
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "RESET,UNAVAILABLE"
  })
  void a_faulty_embedding(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertFails(this::embed, expected);
  }

  @ParameterizedTest(name = "status {0} costs one request")
  @ValueSource(ints = {408, 409, 429, 500, 503})
  void the_sdk_does_not_retry(int status) {
    server.script("*", Behaviour.status(status));

    assertThatThrownBy(this::embed).isInstanceOf(BackendException.class);
    assertThatThrownBy(this::rewrite).isInstanceOf(BackendException.class);
    assertThat(server.exchanges()).hasSize(2);
  }

  @ParameterizedTest(name = "an embedding cut off in {0} closes its connection")
  @ValueSource(strings = {"HANG_BEFORE_HEADERS", "HANG_IN_BODY"})
  void cutting(Fault.Kind fault) {
    server.script("*", Behaviour.faulty(fault));
    CutCall call = CutCall.unhurried();
    Embedder embedder = (Embedder) backend.port(StageType.EMBED);

    call.assertCutOff(
        server, () -> embedder.embed(call.stageCall(), "When open?"), call::interrupt);
  }

  @Test
  void a_warm_up_calls_nobody_but_itself() throws Exception {
    backend.warmUp();

    assertThat(server.connectionsOpened()).isZero();
    assertThat(backend.missing()).isEmpty();
  }

  private String rewrite() throws Exception {
    CutCall call = CutCall.unhurried();
    Rewriter rewriter = (Rewriter) backend.port(StageType.REWRITE);
    return call.run(() -> rewriter.rewrite(call.stageCall(), "When open?", List.of(), "Be brief."));
  }

  private float[] embed() throws Exception {
    CutCall call = CutCall.unhurried();
    Embedder embedder = (Embedder) backend.port(StageType.EMBED);
    return call.run(() -> embedder.embed(call.stageCall(), "When open?"));
  }

  private static void assertFails(ThrowingCallable work, Kind expected) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected));
  }
}
