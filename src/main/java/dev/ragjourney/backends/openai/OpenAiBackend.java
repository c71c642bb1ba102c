package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.ErrorWords;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.KeyHeader;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.nio.file.Path;
import java.util.List;

/** OpenAI, Azure OpenAI, or any server that speaks its chat completions and embeddings. */
public final class OpenAiBackend implements RemoteBackend {
  public static final String KIND = "openai";
  public static final String AZURE_KIND = "azureOpenai";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final OpenAiSettings settings;
  private final SdkCalls calls;

  private OpenAiBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    settings = OpenAiSettings.of(plan);
    transport =
        HttpTransport.open(
            plan,
            secretsDirectory,
            plan.kind().equals(AZURE_KIND) ? KeyHeader.API_KEY : KeyHeader.BEARER,
            ErrorWords.NONE);
    calls = new SdkCalls(transport, settings.url());
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static OpenAiBackend open(BackendPlan plan, Path secretsDirectory) {
    return new OpenAiBackend(plan, secretsDirectory);
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case GENERATE -> new OpenAiGenerator(calls, new ChatRequests(settings));
      case REWRITE -> new OpenAiRewriter(calls, new ChatRequests(settings));
      case EMBED -> new OpenAiEmbedder(calls, settings);
      case SEARCH, RERANK, TOOL ->
          throw new IllegalArgumentException(
              "backends[%s] is %s and serves no %s"
                  .formatted(plan.name(), plan.kind(), type.label()));
    };
  }

  @Override
  public List<String> missing() {
    return transport.missing();
  }

  @Override
  public void warmUp() throws Exception {
    WarmUp.tls(plan, settings.url(), secretsDirectory);
    OpenAiWarmUp.run(plan, secretsDirectory);
  }

  @Override
  public void close() {
    transport.close();
  }
}
