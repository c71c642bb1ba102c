package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.support.AzurePlans;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls, cuts and keys; the words of the service's own answers are in AzureOpenAiAnswersIT. */
class AzureOpenAiIT {
  private static final Prompt PROMPT = new Prompt("When?", List.of(), "", false, 50, null);

  @TempDir Path secrets;
  private ScriptedBackend server;
  private OpenAiBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    Files.createDirectories(secrets.resolve("azure"));
    Files.writeString(secrets.resolve("azure/key"), "sesame-1\n");
    open("");
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void a_deployment_answers_at_its_own_path_with_the_version_and_the_key() throws Exception {
    Completion completion = generate(CutCall.unhurried());

    assertThat(completion.finishReason()).isEqualTo("stop");
    Exchange seen = server.onlyExchange();
    assertThat(seen.path()).isEqualTo("/openai/deployments/big/chat/completions");
    assertThat(seen.header(":query")).isEqualTo("api-version=2024-10-21");
    assertThat(seen.headers()).containsEntry("api-key", "sesame-1");
    assertThat(seen.headers()).doesNotContainKey("authorization");
    assertThat(seen.headers()).containsKeys("x-rag-remaining-ms", "x-slo-ttft-ms");
    assertThat(sent().path("max_completion_tokens").asInt()).isEqualTo(50);
    assertThat(sent().path("stream_options").path("include_usage").asBoolean()).isTrue();
  }

  @Test
  void unified_paths_name_the_deployment_in_the_body() throws Exception {
    open("/openai/v1");

    generate(CutCall.unhurried());

    assertThat(server.onlyExchange().path()).isEqualTo("/openai/v1/chat/completions");
    assertThat(server.onlyExchange().header(":query")).isEmpty();
    assertThat(server.onlyExchange().header("api-key")).isEqualTo("sesame-1");
    assertThat(sent().path("model").asText()).isEqualTo("big");
  }

  @Test
  void an_old_version_is_sent_only_what_it_knows() throws Exception {
    open("", "apiVersion", "2024-06-01");

    generate(CutCall.unhurried());

    assertThat(sent().path("max_tokens").asInt()).isEqualTo(50);
    assertThat(sent().has("max_completion_tokens")).isFalse();
    assertThat(sent().has("stream_options")).isFalse();
  }

  @Test
  void it_rewrites_and_embeds() throws Exception {
    open("", "dimensions", "8");
    CutCall rewriting = CutCall.unhurried();
    Rewriter rewriter = (Rewriter) backend.port(StageType.REWRITE);
    assertThat(rewriting.run(() -> rewriter.rewrite(rewriting.stageCall(), "When?", List.of(), "")))
        .isNotBlank();
    CutCall embedding = CutCall.unhurried();
    Embedder embedder = (Embedder) backend.port(StageType.EMBED);
    assertThat(embedding.run(() -> embedder.embed(embedding.stageCall(), "When?"))).hasSize(8);

    Exchange last = server.exchanges().getLast();
    assertThat(last.path()).isEqualTo("/openai/deployments/big/embeddings");
    assertThat(last.header(":query")).isEqualTo("api-version=2024-10-21");
  }

  @Test
  void a_rotated_key_is_sent_without_a_restart() throws Exception {
    generate(CutCall.unhurried());

    Files.writeString(secrets.resolve("azure/key"), "sesame-2");

    await()
        .until(
            () -> {
              generate(CutCall.unhurried());
              return "sesame-2".equals(server.exchanges().getLast().header("api-key"));
            });
  }

  @Test
  void a_missing_key_is_named_by_secret_and_key_and_nothing_is_sent() throws Exception {
    Files.delete(secrets.resolve("azure/key"));

    String missing = "key \"key\" of Secret or ConfigMap \"azure\" is not mounted or not readable";
    assertFails(Kind.NOT_READY, missing);
    assertThat(backend.missing()).containsExactly(missing);
    assertThat(server.connectionsOpened()).isZero();
  }

  @ParameterizedTest(name = "{0} is one failure: {1}")
  @CsvSource({
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "NO_FINISH_REASON,INVALID_ANSWER",
    "EMPTY,INVALID_ANSWER",
    "ERROR_IN_STREAM,INVALID_ANSWER",
    "RESET,UNAVAILABLE",
    "RESET_IN_BODY,UNAVAILABLE",
    "HALF_CLOSE,UNAVAILABLE",
    "REDIRECT,REFUSED"
  })
  void a_fault(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertFails(expected, null);
    await().until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN);
  }

  @ParameterizedTest(name = "status {0} costs one request")
  @ValueSource(ints = {408, 409, 429, 500, 503})
  void nothing_is_retried(int status) {
    server.script("*", Behaviour.status(status));

    assertThatThrownBy(() -> generate(CutCall.unhurried())).isInstanceOf(BackendException.class);
    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest(name = "cut off in {0}, the connection is closed")
  @ValueSource(strings = {"HANG_BEFORE_HEADERS", "HANG_IN_BODY", "SLOW_DRIP"})
  void cutting(Fault.Kind fault) {
    server.script("*", Behaviour.faulty(fault));
    CutCall call = CutCall.unhurried();

    call.assertCutOff(server, () -> answer(call), call::interrupt);
  }

  @Test
  void a_warm_up_calls_nobody_but_itself() throws Exception {
    backend.warmUp();

    assertThat(server.connectionsOpened()).isZero();
    assertThat(backend.missing()).isEmpty();
  }

  @Test
  void it_serves_no_search() {
    assertThatThrownBy(() -> backend.port(StageType.SEARCH))
        .hasMessage("backends[llm] is azureOpenai and serves no Search");
  }

  private void open(String path, String... settings) {
    if (backend != null) {
      backend.close();
    }
    backend = OpenAiBackend.open(AzurePlans.openAi(server.url(path), settings), secrets);
  }

  private JsonNode sent() throws IOException {
    return new ObjectMapper().readTree(server.onlyExchange().body());
  }

  private void assertFails(Kind expected, String message) {
    assertThatThrownBy(() -> generate(CutCall.unhurried()))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> {
              assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected);
              assertThat(failure).hasNoCause();
              if (message != null) {
                assertThat(failure).hasMessage(message);
              }
            });
  }

  private Completion generate(CutCall call) throws Exception {
    return call.run(() -> answer(call));
  }

  private Completion answer(CutCall call) throws Exception {
    Generator generator = (Generator) backend.port(StageType.GENERATE);
    return generator.generate(call.stageCall(), PROMPT, token -> {});
  }
}
