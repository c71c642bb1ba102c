package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.nio.file.Path;
import java.util.List;

/** OpenAI, or any server that speaks its chat completions and embeddings. */
public final class OpenAiBackend implements RemoteBackend {
  public static final String KIND = "openai";

  private final HttpTransport transport;
  private final OpenAiSettings settings;
  private final SdkCalls calls;

  private OpenAiBackend(HttpTransport transport, OpenAiSettings settings) {
    this.transport = transport;
    this.settings = settings;
    calls = new SdkCalls(transport, settings.url());
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static OpenAiBackend open(BackendPlan plan, Path secretsDirectory) {
    OpenAiSettings settings = OpenAiSettings.of(plan);
    return new OpenAiBackend(HttpTransport.open(plan, secretsDirectory), settings);
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case GENERATE -> new OpenAiGenerator(calls, new ChatRequests(settings));
      case REWRITE -> new OpenAiRewriter(calls, new ChatRequests(settings));
      case EMBED -> new OpenAiEmbedder(calls, settings);
      case SEARCH, RERANK, TOOL ->
          throw new IllegalArgumentException(
              "backends[" + transport.backend() + "] is openai and serves no " + type.label());
    };
  }

  @Override
  public List<String> missing() {
    return transport.missing();
  }

  @Override
  public void close() {
    transport.close();
  }
}
