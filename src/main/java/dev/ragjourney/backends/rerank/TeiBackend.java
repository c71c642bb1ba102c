package dev.ragjourney.backends.rerank;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.LoopbackServer;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.http.Vectors;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hugging Face text-embeddings-inference: a cross-encoder or an embedding model behind a small
 * server. Its 429 means that its queue is full, which is told at once.
 */
public final class TeiBackend implements RemoteBackend {
  public static final String KIND = "tei";

  private static final String WARM_UP_ANSWER = "[[0.5]]";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final URI url;
  private final boolean truncate;
  private final @Nullable Integer dimension;

  private TeiBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    url = Endpoint.of(plan, "url");
    truncate = truncate(plan);
    dimension = Vectors.declaredDimension(plan);
    transport = HttpTransport.open(plan, secretsDirectory);
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static TeiBackend open(BackendPlan plan, Path secretsDirectory) {
    return new TeiBackend(plan, secretsDirectory);
  }

  private static boolean truncate(BackendPlan plan) {
    String truncate = plan.settings().getOrDefault("truncate", "true");
    if (!truncate.equals("true") && !truncate.equals("false")) {
      throw new IllegalArgumentException(
          plan.path("truncate") + " is \"" + truncate + "\", must be true or false");
    }
    return truncate.equals("true");
  }

  @Override
  public StagePort port(StageType type) {
    return switch (type) {
      case RERANK -> new TeiReranker(transport, Endpoint.plus(url, "/rerank"), truncate);
      case EMBED -> new TeiEmbedder(transport, Endpoint.plus(url, "/embed"), truncate, dimension);
      case REWRITE, SEARCH, GENERATE, TOOL -> throw RemoteBackend.servesNo(plan, type);
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
        TeiBackend twin = open(WarmUp.twin(plan, server.url()), secretsDirectory)) {
      TeiEmbedder embedder = new TeiEmbedder(twin.transport, twin.url, true, null);
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        embedder.embed(WarmUp.call(), "warm-up");
      }
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
