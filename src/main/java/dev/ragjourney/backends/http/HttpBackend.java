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

  private final HttpTransport transport;
  private final URI url;
  private final @Nullable Integer dimension;

  private HttpBackend(HttpTransport transport, URI url, @Nullable Integer dimension) {
    this.transport = transport;
    this.url = url;
    this.dimension = dimension;
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static HttpBackend open(BackendPlan plan, Path secretsDirectory) {
    URI url = Endpoint.of(plan, "url");
    Integer dimension = Vectors.declaredDimension(plan);
    return new HttpBackend(HttpTransport.open(plan, secretsDirectory), url, dimension);
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case SEARCH -> new HttpSearch(transport, url);
      case RERANK -> new HttpReranker(transport, url);
      case REWRITE -> new HttpRewriter(transport, url);
      case EMBED -> new HttpEmbedder(transport, url, dimension);
      case GENERATE, TOOL ->
          throw new IllegalArgumentException(
              "backends[" + transport.backend() + "] is http and serves no " + type.label());
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
