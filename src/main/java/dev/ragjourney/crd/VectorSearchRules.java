package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageFallbackSpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches on backends that know vectors and no words: the question is embedded before them,
 * wherever they run, and no search by words is asked of them.
 */
final class VectorSearchRules {
  private static final Set<String> BY_VECTOR_ALONE = Set.of("qdrant");

  /** Backends whose number of candidates a level may change. */
  private static final Set<String> TAKES_EF = Set.of("qdrant");

  private final RagJourneySpec spec;
  private final List<StageSpec> stages;
  private final Findings findings;

  private VectorSearchRules(RagJourneySpec spec, Findings findings) {
    this.spec = spec;
    this.stages = DefaultStages.orGiven(spec);
    this.findings = findings;
  }

  static void check(RagJourneySpec spec, Findings findings) {
    VectorSearchRules rules = new VectorSearchRules(spec, findings);
    List<LevelSpec> levels = Values.list(spec.fallbackLevels());
    for (int stage = 0; stage < rules.stages.size(); stage++) {
      if (DefaultStages.type(rules.stages.get(stage)) == StageType.SEARCH) {
        rules.declared(stage);
        for (int level = 0; level < levels.size(); level++) {
          rules.atLevel("spec.fallbackLevels[" + level + "]", levels.get(level), stage);
        }
      }
    }
  }

  private void declared(int stage) {
    StageSpec search = stages.get(stage);
    String path = "spec.stages[" + stage + "]";
    String backend = nameOr(search.backend(), ParsedBackend.EMBEDDED);
    if (byVectorAlone(backend)) {
      if (!embedsBefore(stage, List.of())) {
        noVector(path + ".backend", backend, search);
      }
      if (search.speculative() != null) {
        noWords(path + ".speculative", backend, "leave speculative out");
      }
    }
    StageFallbackSpec fallback = search.fallback();
    String other = fallback == null ? backend : nameOr(fallback.backend(), backend);
    if (fallback != null && byVectorAlone(other)) {
      if (fallback.mode() != null) {
        noWords(
            path + ".fallback.mode",
            other,
            "let the fallback name a backend that does, such as embedded");
      } else if (!embedsBefore(stage, List.of())) {
        noVector(path + ".fallback.backend", other, search);
      }
    }
  }

  private void atLevel(String path, LevelSpec level, int stage) {
    StageSpec search = stages.get(stage);
    List<LevelStageSpec> changes = Values.list(level.stages());
    String changed = null;
    String declared = nameOr(search.backend(), ParsedBackend.EMBEDDED);
    for (int i = 0; i < changes.size(); i++) {
      LevelStageSpec change = changes.get(i);
      if (Values.given(change.name()).equals(search.name())) {
        String at = path + ".stages[" + i + "]";
        changed = change.backend();
        ef(at + ".ef", change, nameOr(changed, declared), search);
        if (changed != null && byVectorAlone(changed) && !embedsBefore(stage, List.of())) {
          noVector(at + ".backend", changed, search);
        }
      }
    }
    List<String> skip = Values.list(level.skip());
    String backend = nameOr(changed, declared);
    if (byVectorAlone(backend)
        && !skip.contains(search.name())
        && embedsBefore(stage, List.of())
        && !embedsBefore(stage, skip)) {
      findings.conflict(
          path + ".skip",
          "level '%s' skips what embeds the question, and '%s' searches on '%s', a %s, by vector alone; do not skip the Embed, or give the search another backend at this level."
              .formatted(level.name(), search.name(), backend, kind(backend)));
    }
  }

  private void ef(String path, LevelStageSpec change, String backend, StageSpec search) {
    String kind = kind(backend);
    if (change.ef() != null && kind != null && !TAKES_EF.contains(kind)) {
      findings.conflict(
          path,
          "ef %d is for a backend of kind %s; '%s' runs on '%s' of kind %s at this level. Leave it out, or name such a backend."
              .formatted(change.ef(), String.join(" or ", TAKES_EF), search.name(), backend, kind));
    }
  }

  /** Something before the stage, and not beside it, makes a vector of the question. */
  private boolean embedsBefore(int stage, List<String> skip) {
    String group = stages.get(stage).parallel();
    return stages.subList(0, stage).stream()
        .filter(earlier -> group == null || !group.equals(earlier.parallel()))
        .filter(earlier -> !skip.contains(earlier.name()))
        .anyMatch(earlier -> DefaultStages.type(earlier) == StageType.EMBED);
  }

  private void noVector(String path, String backend, StageSpec search) {
    findings.conflict(
        path,
        "backend '%s' of kind %s searches by vector, and no Embed stage runs before '%s'; add one before it."
            .formatted(backend, kind(backend), search.name()));
  }

  private void noWords(String path, String backend, String right) {
    findings.conflict(
        path,
        "backend '%s' of kind %s searches by vector alone and knows no keyword search; %s."
            .formatted(backend, kind(backend), right));
  }

  private boolean byVectorAlone(String backend) {
    String kind = kind(backend);
    return kind != null && BY_VECTOR_ALONE.contains(kind);
  }

  /** Null for a name that nothing has, and for a backend whose kind is not clear. */
  private @Nullable String kind(String backend) {
    for (BackendSpec candidate : Values.list(spec.backends())) {
      if (backend.equals(candidate.name())) {
        List<BackendKind> kinds = BackendKind.of(candidate);
        return kinds.size() == 1 ? kinds.getFirst().field() : null;
      }
    }
    return backend.equals(ParsedBackend.EMBEDDED) ? BackendKind.EMBEDDED.field() : null;
  }

  private static String nameOr(@Nullable String given, String otherwise) {
    return given == null ? otherwise : given;
  }
}
