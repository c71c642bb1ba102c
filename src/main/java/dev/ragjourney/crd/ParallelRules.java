package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.StageSpec;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which stages can run side by side. All work on what was known when their group started, so none
 * may need another's result, and no two may give what there is only one of.
 */
final class ParallelRules {
  /** There is one search text, one vector and one order of the passages. */
  private static final Set<StageType> ONE_OF_A_KIND =
      EnumSet.of(StageType.REWRITE, StageType.EMBED, StageType.RERANK);

  private static final Set<StageType> READ_THE_TEXT =
      EnumSet.of(StageType.EMBED, StageType.SEARCH, StageType.RERANK, StageType.TOOL);
  private static final Set<StageType> READ_THE_VECTOR =
      EnumSet.of(StageType.SEARCH, StageType.TOOL);

  private final List<StageSpec> stages;
  private final Findings findings;

  private ParallelRules(List<StageSpec> stages, Findings findings) {
    this.stages = stages;
    this.findings = findings;
  }

  static void check(List<StageSpec> stages, Findings findings) {
    ParallelRules rules = new ParallelRules(stages, findings);
    Set<String> ended = new HashSet<>();
    int next;
    for (int i = 0; i < stages.size(); i = next) {
      next = i + 1;
      String group = stages.get(i).parallel();
      if (group == null) {
        continue;
      }
      while (next < stages.size() && group.equals(stages.get(next).parallel())) {
        next++;
      }
      if (!ended.add(group)) {
        rules.conflict(
            i,
            "'%s' is the group of earlier stages that are not neighbours; stages of one group must follow one another."
                .formatted(group));
      }
      for (int member = i; member < next; member++) {
        rules.member(member, i, next);
      }
    }
  }

  private void member(int stage, int first, int end) {
    StageType type = type(stage);
    if (type == StageType.GENERATE) {
      conflict(stage, "a Generate stage runs alone, because it needs what all others found.");
      return;
    }
    Integer twin = find(first, stage, EnumSet.of(type));
    if (twin != null && ONE_OF_A_KIND.contains(type)) {
      conflict(
          stage,
          "'%s' is a %s and runs beside this one, and only one result can be used; give them different groups."
              .formatted(stages.get(twin).name(), type.label()));
    }
    Integer search = find(first, end, EnumSet.of(StageType.SEARCH));
    if (type == StageType.RERANK && search != null) {
      conflict(
          stage,
          "'%s' searches beside this Rerank, which can only rank what was found before; let it run after the search."
              .formatted(stages.get(search).name()));
    }
    if (end - first > 1 && type == StageType.REWRITE) {
      used(stage, end, "rewritten question", READ_THE_TEXT);
    }
    if (end - first > 1 && type == StageType.EMBED) {
      used(stage, end, "vector", READ_THE_VECTOR);
    }
  }

  private void used(int stage, int end, String result, Set<StageType> readers) {
    if (find(end, stages.size(), readers) == null) {
      conflict(
          stage,
          "nothing after the group uses the %s, and the stages beside this one do not wait for it; let it run before, or add a %s after."
              .formatted(
                  result,
                  readers.stream().map(StageType::label).collect(Collectors.joining(" or "))));
    }
  }

  private @Nullable Integer find(int from, int to, Set<StageType> types) {
    for (int i = from; i < to; i++) {
      if (types.contains(type(i))) {
        return i;
      }
    }
    return null;
  }

  private StageType type(int stage) {
    return DefaultStages.type(stages.get(stage));
  }

  private void conflict(int stage, String message) {
    findings.conflict("spec.stages[" + stage + "].parallel", message);
  }
}
