package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.DocumentsSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The embedded search needs documents, and they come from one place. */
final class DocumentsRules {
  private DocumentsRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    DocumentsSpec documents = spec.documents();
    if (documents != null) {
      long given =
          Stream.of(documents.configMap(), documents.persistentVolumeClaim(), documents.image())
              .filter(Objects::nonNull)
              .count();
      if (given != 1) {
        findings.conflict(
            "spec.documents",
            "documents names %d sources; give exactly one of configMap, persistentVolumeClaim or image."
                .formatted(given));
      }
    } else if (searchesEmbedded(spec)) {
      findings.required(
          "spec.documents",
          "the embedded search needs them; give documents, or a Search stage with a backend that has its own");
    }
  }

  private static boolean searchesEmbedded(RagJourneySpec spec) {
    List<StageSpec> searches =
        DefaultStages.orGiven(spec).stream()
            .filter(stage -> StageType.SEARCH.label().equals(stage.type()))
            .toList();
    return searches.isEmpty()
        || searches.stream().anyMatch(stage -> isEmbedded(stage.backend(), spec))
        || searches.stream()
            .map(StageSpec::fallback)
            .filter(Objects::nonNull)
            .anyMatch(
                fallback -> fallback.backend() != null && isEmbedded(fallback.backend(), spec));
  }

  private static boolean isEmbedded(@Nullable String backend, RagJourneySpec spec) {
    if (backend == null || backend.equals(ParsedBackend.EMBEDDED)) {
      return true;
    }
    return Values.list(spec.backends()).stream()
        .filter(candidate -> backend.equals(candidate.name()))
        .map(BackendSpec::embedded)
        .anyMatch(Objects::nonNull);
  }
}
