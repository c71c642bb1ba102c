package dev.ragjourney.crd;

import static dev.ragjourney.budget.StageType.EMBED;
import static dev.ragjourney.budget.StageType.GENERATE;
import static dev.ragjourney.budget.StageType.RERANK;
import static dev.ragjourney.budget.StageType.REWRITE;
import static dev.ragjourney.budget.StageType.SEARCH;
import static dev.ragjourney.budget.StageType.TOOL;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.BackendSpec;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of backend.
 *
 * @param field of the resource, which is the kind's name in the plan too
 * @param settings the field's value; null where a backend is of another kind
 * @param serves the stages it can do
 */
record BackendKind(
    String field, Function<BackendSpec, @Nullable Record> settings, List<StageType> serves) {
  static final BackendKind EMBEDDED =
      new BackendKind("embedded", BackendSpec::embedded, List.of(EMBED, SEARCH, RERANK, GENERATE));

  static final List<BackendKind> ALL =
      List.of(
          EMBEDDED,
          new BackendKind("openai", BackendSpec::openai, List.of(REWRITE, EMBED, GENERATE)),
          new BackendKind(
              "azureOpenai", BackendSpec::azureOpenai, List.of(REWRITE, EMBED, GENERATE)),
          new BackendKind("tei", BackendSpec::tei, List.of(EMBED, RERANK)),
          new BackendKind("rerank", BackendSpec::rerank, List.of(RERANK)),
          new BackendKind("azureSearch", BackendSpec::azureSearch, List.of(SEARCH)),
          new BackendKind("elasticsearch", BackendSpec::elasticsearch, List.of(SEARCH)),
          new BackendKind("opensearch", BackendSpec::opensearch, List.of(SEARCH)),
          new BackendKind("pgvector", BackendSpec::pgvector, List.of(SEARCH)),
          new BackendKind("qdrant", BackendSpec::qdrant, List.of(SEARCH)),
          new BackendKind("weaviate", BackendSpec::weaviate, List.of(SEARCH)),
          new BackendKind("pinecone", BackendSpec::pinecone, List.of(SEARCH)),
          new BackendKind(
              "http", BackendSpec::http, List.of(REWRITE, EMBED, SEARCH, RERANK, TOOL)));

  boolean serves(StageType type) {
    return serves.contains(type);
  }

  /** The kinds that a backend sets; exactly one in a valid spec. */
  static List<BackendKind> of(BackendSpec backend) {
    return ALL.stream().filter(kind -> kind.settings().apply(backend) != null).toList();
  }
}
