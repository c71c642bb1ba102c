package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.LoopbackServer;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.plan.BackendPlan;
import java.nio.file.Path;
import java.util.List;

/** Takes the SDK through a stream, a completion and an embedding inside the process. */
final class OpenAiWarmUp {
  private static final String STREAM =
      """
      data: {"id":"w","object":"chat.completion.chunk","created":1,"model":"w",\
      "choices":[{"index":0,"delta":{"role":"assistant","content":"warm"},"finish_reason":null}]}

      data: {"id":"w","object":"chat.completion.chunk","created":1,"model":"w",\
      "choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

      data: {"id":"w","object":"chat.completion.chunk","created":1,"model":"w","choices":[],\
      "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}

      data: [DONE]

      """;

  private static final String COMPLETION =
      """
      {"id":"w","object":"chat.completion","created":1,"model":"w","choices":[{"index":0,\
      "message":{"role":"assistant","content":"warm"},"finish_reason":"stop"}]}""";

  private static final String EMBEDDING =
      """
      {"object":"list","model":"w","data":[{"object":"embedding","index":0,"embedding":[0.5]}],\
      "usage":{"prompt_tokens":1,"total_tokens":1}}""";

  private OpenAiWarmUp() {}

  static void run(BackendPlan plan, Path secretsDirectory) throws Exception {
    Prompt prompt = new Prompt("warm-up", List.of(), "", false, 1, null);
    try (LoopbackServer server = LoopbackServer.answering("text/event-stream", STREAM);
        OpenAiBackend twin = twin(plan, server, secretsDirectory)) {
      Generator generator = (Generator) twin.port(StageType.GENERATE);
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        generator.generate(WarmUp.call(), prompt, token -> {});
      }
    }
    try (LoopbackServer server = LoopbackServer.answering("application/json", COMPLETION);
        OpenAiBackend twin = twin(plan, server, secretsDirectory)) {
      Rewriter rewriter = (Rewriter) twin.port(StageType.REWRITE);
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        rewriter.rewrite(WarmUp.call(), "warm-up", List.of(), "");
      }
    }
    try (LoopbackServer server = LoopbackServer.answering("application/json", EMBEDDING);
        OpenAiBackend twin = twin(plan, server, secretsDirectory)) {
      Embedder embedder = (Embedder) twin.port(StageType.EMBED);
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        embedder.embed(WarmUp.call(), "warm-up");
      }
    }
  }

  private static OpenAiBackend twin(
      BackendPlan plan, LoopbackServer server, Path secretsDirectory) {
    return OpenAiBackend.open(WarmUp.twin(plan, server.url()), secretsDirectory);
  }
}
