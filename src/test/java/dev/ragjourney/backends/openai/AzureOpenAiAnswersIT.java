package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.support.AzurePlans;
import dev.ragjourney.support.CannedServer;
import dev.ragjourney.support.CutCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of the shapes that Azure OpenAI gives and OpenAI does not. */
class AzureOpenAiAnswersIT {
  private static final String PROMPT_FILTER =
      """
      {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":\
      [{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},\
      "jailbreak":{"filtered":false,"detected":false}}}]}""";

  private static final String SAFE =
      """
      "content_filter_results":{"hate":{"filtered":false,"severity":"safe"},\
      "violence":{"filtered":false,"severity":"safe"}}""";

  private final List<String> tokens = new ArrayList<>();
  @TempDir Path secrets;
  private CannedServer server;
  private OpenAiBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = CannedServer.start();
    Files.createDirectories(secrets.resolve("azure"));
    Files.writeString(secrets.resolve("azure/key"), "sesame-1");
    backend = OpenAiBackend.open(AzurePlans.openAi(server.url("")), secrets);
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  @Test
  void the_verdict_on_the_prompt_comes_first_and_has_no_choices() throws Exception {
    server.events(
        PROMPT_FILTER,
        chunk("\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null"),
        chunk("\"delta\":{\"content\":\"At nine.\"}," + SAFE, "null"),
        chunk("\"content_filter_offsets\":{\"check_offset\":44}," + SAFE, "null"),
        chunk("\"delta\":{},\"content_filter_results\":{}", "\"stop\""),
        """
        {"choices":[],"created":1,"id":"c","model":"gpt-4o","object":"chat.completion.chunk",\
        "usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,\
        "prompt_tokens_details":{"cached_tokens":0}}}""");

    assertThat(generate()).isEqualTo(new Completion("stop", 7, 3));
    assertThat(tokens).containsExactly("At nine.");
  }

  @Test
  void a_filtered_answer_without_a_word_is_no_answer() {
    server.events(
        PROMPT_FILTER,
        chunk(
            "\"delta\":{},\"content_filter_results\":{\"violence\":{\"filtered\":true,\"severity\":\"high\"}}",
            "\"content_filter\""));

    assertFails(
        this::generate,
        Kind.INVALID_ANSWER,
        "llm: the content filter of the service withheld the answer");
  }

  @Test
  void an_answer_that_the_filter_ended_says_so() throws Exception {
    server.events(
        PROMPT_FILTER,
        chunk("\"delta\":{\"content\":\"First\"}," + SAFE, "null"),
        chunk("\"delta\":{}", "\"content_filter\""));

    assertThat(generate().finishReason()).isEqualTo("content_filter");
    assertThat(tokens).containsExactly("First");
  }

  @Test
  void a_filtered_rewrite_is_no_question() {
    server.json(
        200,
        """
        {"id":"c","object":"chat.completion","created":1,"model":"gpt-4o",\
        "prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}],\
        "choices":[{"index":0,"finish_reason":"content_filter","message":{"role":"assistant"},\
        "content_filter_results":{"hate":{"filtered":true,"severity":"medium"}}}]}""");

    assertFails(
        this::rewrite,
        Kind.INVALID_ANSWER,
        "llm: the content filter of the service withheld the rewritten question");
  }

  @Test
  void a_filtered_prompt_is_refused_with_the_reason() {
    server.json(
        400,
        """
        {"error":{"message":"The response was filtered: sesame-1 and the prompt","type":null,\
        "param":"prompt","code":"content_filter","status":400,"innererror":\
        {"code":"ResponsibleAIPolicyViolation","content_filter_result":\
        {"jailbreak":{"filtered":true,"detected":true}}}}}""");

    assertFails(
        this::generate,
        Kind.REFUSED,
        "llm: status 400 (content_filter); the content filter of the service refused the prompt");
  }

  @Test
  void a_wrong_key_is_refused_and_not_repeated_in_the_message() {
    server.json(
        401,
        """
        {"error":{"code":"401","message":"Access denied due to invalid subscription key sesame-1 \
        or wrong API endpoint."}}""");

    assertFails(this::generate, Kind.REFUSED, "llm: status 401");
  }

  @Test
  void a_deployment_that_does_not_exist_is_refused_with_its_code() {
    server.json(
        404,
        """
        {"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource \
        does not exist."}}""");

    assertFails(this::generate, Kind.REFUSED, "llm: status 404 (DeploymentNotFound)");
  }

  @Test
  void a_rate_limit_says_how_long_to_wait() {
    server.json(
        429,
        """
        {"error":{"code":"RateLimitReached","message":"Requests have exceeded the token rate \
        limit. Please retry after 7 seconds."}}""",
        "retry-after",
        "7");

    assertThatThrownBy(this::generate)
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.OVERLOADED);
              assertThat(failure.retryAfterNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
            })
        .hasMessage("llm: status 429 (RateLimitReached); asks to wait 7 s");
    assertThat(server.seen()).hasSize(1);
  }

  private static String chunk(String choice, String finishReason) {
    return "{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"gpt-4o\","
        + "\"system_fingerprint\":\"fp\",\"choices\":[{\"index\":0,\"logprobs\":null,"
        + choice
        + ",\"finish_reason\":"
        + finishReason
        + "}]}";
  }

  private void assertFails(ThrowingCallable work, Kind expected, String message) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected))
        .hasMessage(message)
        .hasNoCause();
    assertThat(server.seen()).hasSize(1);
  }

  private Completion generate() throws Exception {
    CutCall call = CutCall.unhurried();
    Generator generator = (Generator) backend.port(StageType.GENERATE);
    Prompt prompt = new Prompt("When?", List.of(), "", false, null, null);
    return call.run(() -> generator.generate(call.stageCall(), prompt, tokens::add));
  }

  private String rewrite() throws Exception {
    CutCall call = CutCall.unhurried();
    Rewriter rewriter = (Rewriter) backend.port(StageType.REWRITE);
    return call.run(() -> rewriter.rewrite(call.stageCall(), "When?", List.of(), ""));
  }
}
