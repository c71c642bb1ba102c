package dev.ragjourney.backends.qdrant;

import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.KeyHeader;
import dev.ragjourney.backends.http.LoopbackServer;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.http.WarmUp;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.plan.BackendPlan;
import java.nio.file.Path;
import java.util.List;

/** One collection of Qdrant. {@code url} is the address of its REST API, port 6333 as a rule. */
public final class QdrantBackend implements RemoteBackend {
  public static final String KIND = "qdrant";

  private static final String WARM_UP_ANSWER =
      "{\"result\":{\"points\":[{\"id\":1,\"score\":0.5,\"payload\":{\"content\":\"warm-up\"}}]},"
          + "\"status\":\"ok\"}";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final QdrantSearch search;

  private QdrantBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    QdrantCollection collection = QdrantCollection.of(plan);
    transport = HttpTransport.open(plan, secretsDirectory, KeyHeader.API_KEY, QdrantErrors::words);
    search = new QdrantSearch(transport, collection);
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static QdrantBackend open(BackendPlan plan, Path secretsDirectory) {
    return new QdrantBackend(plan, secretsDirectory);
  }

  @Override
  public PassageSearch port(StageType type) {
    if (type != StageType.SEARCH) {
      throw RemoteBackend.servesNo(plan, type);
    }
    return search;
  }

  @Override
  public List<String> missing() {
    return transport.missing();
  }

  @Override
  public void warmUp() throws Exception {
    WarmUp.tls(plan, search.collection().url(), secretsDirectory);
    SearchQuery query = new SearchQuery("warm-up", new float[] {0.5f, 0.5f}, 1, false);
    try (LoopbackServer server = LoopbackServer.answering("application/json", WARM_UP_ANSWER);
        HttpTransport twin =
            HttpTransport.open(WarmUp.twin(plan, server.url()), secretsDirectory)) {
      QdrantSearch warm = new QdrantSearch(twin, QdrantCollection.named(server.url(), "warm-up"));
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        warm.search(WarmUp.call(), query);
      }
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
