package dev.ragjourney.app;

import dev.ragjourney.backends.azure.AzureSearchBackend;
import dev.ragjourney.backends.embedded.EmbeddedBackends;
import dev.ragjourney.backends.embedded.EmbeddedSettings;
import dev.ragjourney.backends.embedded.documents.DocumentFolder;
import dev.ragjourney.backends.embedded.documents.DocumentLimits;
import dev.ragjourney.backends.http.HttpBackend;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.openai.OpenAiBackend;
import dev.ragjourney.backends.qdrant.QdrantBackend;
import dev.ragjourney.backends.rerank.RerankBackend;
import dev.ragjourney.backends.rerank.TeiBackend;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.server.Backend;
import dev.ragjourney.server.BackendFactory;
import dev.ragjourney.server.BackendUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The backends that a pod can open. */
final class PodBackends implements BackendFactory {
  private final Path documents;
  private final Path secrets;
  private final Map<String, String> environment;

  /**
   * @param environment of the pod, which may hold its identity
   */
  PodBackends(Path documents, Path secrets, Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.documents = documents;
    this.secrets = secrets;
  }

  @Override
  public Backend open(BackendUse use, List<String> questions) {
    BackendPlan plan = use.plan();
    return switch (plan.kind()) {
      case "embedded" -> embedded(use, questions);
      case OpenAiBackend.KIND, OpenAiBackend.AZURE_KIND ->
          new Remote(OpenAiBackend.open(plan, secrets, environment));
      case AzureSearchBackend.KIND -> new Remote(AzureSearchBackend.open(plan, secrets));
      case HttpBackend.KIND -> new Remote(HttpBackend.open(plan, secrets));
      case RerankBackend.KIND -> new Remote(RerankBackend.open(plan, secrets));
      case TeiBackend.KIND -> new Remote(TeiBackend.open(plan, secrets));
      case QdrantBackend.KIND -> new Remote(QdrantBackend.open(plan, secrets));
      default ->
          throw new IllegalArgumentException(
              "backends[%s] is of kind %s, which this version does not speak"
                  .formatted(plan.name(), plan.kind()));
    };
  }

  @Override
  public String contents(BackendPlan plan, Set<StageType> serves) {
    return plan.kind().equals("embedded") && serves.contains(StageType.SEARCH)
        ? DocumentFolder.fingerprint(documents, DocumentLimits.DEFAULT)
        : "";
  }

  private Backend embedded(BackendUse use, List<String> questions) {
    boolean searches = use.serves().contains(StageType.SEARCH);
    return new Embedded(
        EmbeddedBackends.open(EmbeddedSettings.of(searches ? documents : null, questions)));
  }

  private record Remote(RemoteBackend backend) implements Backend {
    @Override
    public StagePort port(StageType type) {
      return backend.port(type);
    }

    @Override
    public List<String> missing() {
      return backend.missing();
    }

    @Override
    public void warmUp() throws Exception {
      backend.warmUp();
    }

    @Override
    public void close() {
      backend.close();
    }
  }

  private record Embedded(EmbeddedBackends backends) implements Backend {
    @Override
    public StagePort port(StageType type) {
      return switch (type) {
        case EMBED -> backends.embedder();
        case SEARCH -> backends.search();
        case RERANK -> backends.reranker();
        case GENERATE -> backends.generator();
        case REWRITE, TOOL ->
            throw new IllegalArgumentException(
                "the embedded backend serves no " + type.label() + "; name another backend");
      };
    }

    @Override
    public List<String> missing() {
      return backends.progress().ready() ? List.of() : List.of(backends.progress().text());
    }

    @Override
    public void close() {
      try {
        backends.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the embedded index does not close", e);
      }
    }
  }
}
