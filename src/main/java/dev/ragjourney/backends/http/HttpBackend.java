package dev.ragjourney.backends.http;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service of the user's own that takes and gives the journey's JSON: see {@link JourneyJson}. Its
 * {@code url} is the address of the one operation it serves.
 */
public final class HttpBackend implements RemoteBackend {
  public static final String KIND = "http";

  private static final String WARM_UP_ANSWER = "{\"question\":\"warm\"}";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final URI url;
  private final @Nullable Integer dimension;

  private HttpBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    url = Endpoint.of(plan, "url");
    dimension = Vectors.declaredDimension(plan);
    transport = HttpTransport.open(plan, secretsDirectory);
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static HttpBackend open(BackendPlan plan, Path secretsDirectory) {
    return new HttpBackend(plan, secretsDirectory);
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case SEARCH -> new HttpSearch(transport, url);
      case RERANK -> new HttpReranker(transport, url);
      case REWRITE -> new HttpRewriter(transport, url);
      case EMBED -> new HttpEmbedder(transport, url, dimension);
      case TOOL -> new HttpTool(transport, url, ToolProtocol.of(plan));
      case GENERATE -> throw RemoteBackend.servesNo(plan, type);
    };
  }

  @Override
  public List<String> missing() {
    return transport.missing();
  }

  @Override
  public void warmUp() throws Exception {
    WarmUp.tls(plan, url, secretsDirectory);
    try (LoopbackServer server = LoopbackServer.answering("application/json", WARM_UP_ANSWER);
        HttpBackend twin = open(WarmUp.twin(plan, server.url()), secretsDirectory)) {
      HttpRewriter rewriter = new HttpRewriter(twin.transport, twin.url);
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        rewriter.rewrite(WarmUp.call(), "warm-up", List.of(), "");
      }
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
