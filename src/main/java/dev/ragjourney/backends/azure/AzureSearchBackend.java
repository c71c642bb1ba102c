package dev.ragjourney.backends.azure;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** An index of Azure AI Search. */
public final class AzureSearchBackend implements RemoteBackend {
  public static final String KIND = "azureSearch";

  private final BackendPlan plan;
  private final Path secretsDirectory;
  private final HttpTransport transport;
  private final AzureSearch search;

  private AzureSearchBackend(BackendPlan plan, Path secretsDirectory) {
    this.plan = plan;
    this.secretsDirectory = secretsDirectory;
    AzureIndex index = AzureIndex.of(plan);
    transport =
        HttpTransport.open(plan, secretsDirectory, KeyHeader.API_KEY, AzureSearchErrors::meaning);
    search = new AzureSearch(transport, index, new PlainTimes());
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  public static AzureSearchBackend open(BackendPlan plan, Path secretsDirectory) {
    return new AzureSearchBackend(plan, secretsDirectory);
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
    WarmUp.tls(plan, search.index().url(), secretsDirectory);
    SearchQuery query = new SearchQuery("warm-up", new float[] {0.5f}, 1, false);
    try (LoopbackServer server = LoopbackServer.answering("application/json", oneDocument());
        AzureSearchBackend twin = open(WarmUp.twin(plan, server.url()), secretsDirectory)) {
      for (int i = 0; i < WarmUp.ROUNDS; i++) {
        twin.search.search(WarmUp.call(), query);
      }
    }
  }

  private String oneDocument() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer
        .putArray("value")
        .addObject()
        .put("@search.score", 0.5)
        .put("@search.rerankerScore", 0.5)
        .put(search.index().idField(), "warm-up")
        .put(search.index().contentField(), "warm-up");
    return answer.toString();
  }

  @Override
  public void close() {
    transport.close();
  }
}
