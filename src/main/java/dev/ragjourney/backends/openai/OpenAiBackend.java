package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.ErrorWords;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.KeyHeader;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.backends.identity.SignIn;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI, Azure OpenAI, or any server that speaks its chat completions and embeddings. */
public final class OpenAiBackend implements RemoteBackend {
  public static final String KIND = "openai";
  public static final String AZURE_KIND = "azureOpenai";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final OpenAiSettings settings;
  private final SdkCalls calls;
  private final @Nullable SignIn signIn;

  private OpenAiBackend(BackendPlan plan, Path secretsDirectory, Map<String, String> environment) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    settings = OpenAiSettings.of(plan);
    signIn =
        "true".equals(plan.settings().get("workloadIdentity"))
            ? new SignIn(plan.name(), environment)
            : null;
    transport =
        signIn != null
            ? HttpTransport.open(plan, secretsDirectory, signIn)
            : HttpTransport.open(
                plan,
                secretsDirectory,
                plan.kind().equals(AZURE_KIND) ? KeyHeader.API_KEY : KeyHeader.BEARER,
                ErrorWords.NONE);
    calls = new SdkCalls(transport, settings.url());
    if (signIn != null) {
      signIn.start();
    }
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static OpenAiBackend open(BackendPlan plan, Path secretsDirectory) {
    return open(plan, secretsDirectory, Map.of());
  }

  /**
   * @param environment of the pod, for a backend that signs in with the pod's identity
   */
  public static OpenAiBackend open(
      BackendPlan plan, Path secretsDirectory, Map<String, String> environment) {
    return new OpenAiBackend(plan, secretsDirectory, environment);
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case GENERATE -> new OpenAiGenerator(calls, new ChatRequests(settings));
      case REWRITE -> new OpenAiRewriter(calls, new ChatRequests(settings));
      case EMBED -> new OpenAiEmbedder(calls, settings);
      case SEARCH, RERANK, TOOL -> throw RemoteBackend.servesNo(plan, type);
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
    if (signIn != null) {
      signIn.close();
    }
    transport.close();
  }
}
