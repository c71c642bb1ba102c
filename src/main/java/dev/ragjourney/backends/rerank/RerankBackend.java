package dev.ragjourney.backends.rerank;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.LoopbackServer;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * A rerank service of Cohere's or Jina's shape. Cohere, Jina, vLLM, llama.cpp, SGLang and LocalAI
 * speak it. {@code url} is the address before the version ({@code https://api.cohere.com}), with it
 * ({@code http://vllm:8000/v1}) or the whole one ({@code http://x/rerank}).
 */
public final class RerankBackend implements RemoteBackend {
  public static final String KIND = "rerank";

  private static final String WARM_UP_ANSWER =
      "{\"results\":[{\"index\":0,\"relevance_score\":0.5}]}";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final CohereShapedReranker reranker;

  private RerankBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    RerankStyle style = RerankStyle.of(plan);
    URI url = style.address(Endpoint.of(plan, "url"));
    String model = plan.settings().getOrDefault("model", "");
    transport = HttpTransport.open(plan, secretsDirectory);
    reranker = new CohereShapedReranker(transport, url, style, model);
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static RerankBackend open(BackendPlan plan, Path secretsDirectory) {
    return new RerankBackend(plan, secretsDirectory);
  }

  @Override
  public Reranker port(StageType type) {
    if (type != StageType.RERANK) {
      throw RemoteBackend.servesNo(plan, type);
    }
    return reranker;
  }

  @Override
  public List<String> missing() {
    return transport.missing();
  }

  @Override
  public void warmUp() throws Exception {
    WarmUp.tls(plan, reranker.url(), secretsDirectory);
    List<Passage> passages = List.of(new Passage("warm-up", "", "warm-up", 0));
    try (LoopbackServer server = LoopbackServer.answering("application/json", WARM_UP_ANSWER);
        RerankBackend twin = open(WarmUp.twin(plan, server.url()), secretsDirectory)) {
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        twin.reranker.rerank(WarmUp.call(), "warm-up", passages);
      }
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
