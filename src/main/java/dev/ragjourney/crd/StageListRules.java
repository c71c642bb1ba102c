package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.BudgetSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageFallbackSpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The stages against each other, and against the backends. */
final class StageListRules {
  /** What must not come before a stage of the key's type. */
  private static final Map<StageType, Set<StageType>> NOT_BEFORE =
      Map.of(
          StageType.REWRITE,
          EnumSet.of(StageType.EMBED, StageType.SEARCH, StageType.RERANK),
          StageType.EMBED,
          EnumSet.of(StageType.SEARCH, StageType.RERANK),
          StageType.SEARCH,
          EnumSet.of(StageType.RERANK));

  private StageListRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    List<StageSpec> stages = Values.list(spec.stages());
    if (stages.isEmpty()) {
      return;
    }
    names(stages, findings);
    order(spec, stages, findings);
    ParallelRules.check(stages, findings);
    floors(spec, stages, findings);
    for (int i = 0; i < stages.size(); i++) {
      StageSpec stage = stages.get(i);
      String path = "spec.stages[" + i + "]";
      BackendRules.checkUse(path + ".backend", stage, stage.backend(), spec, findings);
      if (stage.speculative() != null && !waitsForWords(stages, i)) {
        findings.conflict(
            path + ".speculative",
            "no Rewrite or Embed runs before '%s', so that a keyword search cannot start earlier than the stage; leave speculative out, or add one of them before."
                .formatted(stage.name()));
      }
      StageFallbackSpec fallback = stage.fallback();
      if (fallback != null && fallback.backend() != null) {
        BackendRules.checkUse(
            path + ".fallback.backend", stage, fallback.backend(), spec, findings);
      }
    }
  }

  /** Something before the stage, and not beside it, prepares the question. */
  private static boolean waitsForWords(List<StageSpec> stages, int stage) {
    String group = stages.get(stage).parallel();
    return stages.subList(0, stage).stream()
        .filter(earlier -> group == null || !group.equals(earlier.parallel()))
        .map(DefaultStages::type)
        .anyMatch(type -> type == StageType.REWRITE || type == StageType.EMBED);
  }

  private static void names(List<StageSpec> stages, Findings findings) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < stages.size(); i++) {
      String name = Values.given(stages.get(i).name());
      if (!seen.add(name)) {
        findings.duplicate("spec.stages[" + i + "].name", name, "stage");
      }
    }
  }

  private static void order(RagJourneySpec spec, List<StageSpec> stages, Findings findings) {
    List<StageType> types = stages.stream().map(DefaultStages::type).toList();
    long generates = types.stream().filter(type -> type == StageType.GENERATE).count();
    if (generates != 1) {
      findings.conflict(
          "spec.stages",
          "there are %d stages of type Generate; exactly one is right.".formatted(generates));
      return;
    }
    int generate = types.indexOf(StageType.GENERATE);
    List<StageType> after = types.subList(generate + 1, types.size());
    boolean formatting = after.equals(List.of(StageType.TOOL));
    if (!after.isEmpty() && !formatting) {
      findings.conflict(
          "spec.stages[" + generate + "]",
          "a Generate stage is followed by others; it must be the last, and only one Tool may follow it.");
    } else if (formatting && !CountTo.LAST_TOKEN.label().equals(budget(spec).countTo())) {
      findings.conflict(
          "spec.stages[" + (generate + 1) + "]",
          "a Tool after Generate needs the whole answer; set budget.countTo to LastToken or move the Tool before Generate.");
    }
    Set<StageType> before = EnumSet.noneOf(StageType.class);
    for (int i = 0; i < types.size(); i++) {
      StageType type = types.get(i);
      for (StageType early : NOT_BEFORE.getOrDefault(type, Set.of())) {
        if (before.contains(early)) {
          findings.conflict(
              "spec.stages[" + i + "]",
              "a %s stage comes after a %s stage; move it before."
                  .formatted(type.label(), early.label()));
          break;
        }
      }
      if (type == StageType.RERANK && !before.contains(StageType.SEARCH)) {
        findings.conflict(
            "spec.stages[" + i + "]",
            "a Rerank stage has no Search stage before it; nothing is there to be ranked.");
      }
      before.add(type);
    }
  }

  private static void floors(RagJourneySpec spec, List<StageSpec> stages, Findings findings) {
    Duration total = BudgetRules.total(budget(spec));
    Duration sum =
        stages.stream()
            .map(stage -> Values.duration(stage.floor(), Duration.ZERO))
            .reduce(Duration.ZERO, Duration::plus);
    if (sum.compareTo(total) >= 0) {
      findings.conflict(
          "spec.stages",
          "the floors add up to %s, which leaves nothing of budget.total %s."
              .formatted(format(sum), format(total)));
    }
  }

  private static BudgetSpec budget(RagJourneySpec spec) {
    return Values.given(spec.budget());
  }
}
