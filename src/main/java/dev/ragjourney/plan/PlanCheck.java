package dev.ragjourney.plan;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a plan must be beyond its shape: every name refers to something, every list lines up. */
public final class PlanCheck {
  private static final String REASON = "InvalidPlan";

  private final Plan plan;
  private final List<Finding> findings = new ArrayList<>();

  private PlanCheck(Plan plan) {
    this.plan = plan;
  }

  /** Everything wrong with a plan, in the document's order; empty for a plan that can serve. */
  public static List<Finding> findings(Plan plan) {
    PlanCheck check = new PlanCheck(plan);
    check.budget();
    check.leftOut();
    check.stages();
    check.levels();
    check.boundaries();
    return List.copyOf(check.findings);
  }

  private void budget() {
    if (plan.budget().total().isZero()) {
      wrong("budget.total", "zero; a journey needs time");
    }
    unique("budget.stages", plan.budget().stages().stream().map(StageBudget::name).toList());
    unique("budget.levels", plan.budget().levels().stream().map(FallbackLevel::name).toList());
    long generates =
        plan.budget().stages().stream().filter(s -> s.type() == StageType.GENERATE).count();
    if (generates != 1) {
      wrong("budget.stages", generates + " stages of type Generate; exactly one is needed");
    }
    List<FallbackLevel> levels = plan.budget().levels();
    if (levels.isEmpty() || levels.getLast().answer() != AnswerSource.STATIC) {
      wrong("budget.levels", "the last level must have the answer Static");
    }
    for (int i = 0; i < levels.size(); i++) {
      String path = "budget.levels[%d]".formatted(i);
      for (int j = 0; j < levels.get(i).skip().size(); j++) {
        known(path + ".skip[%d]".formatted(j), levels.get(i).skip().get(j), stageNames(), "stages");
      }
      for (int j = 0; j < levels.get(i).stages().size(); j++) {
        String stage = levels.get(i).stages().get(j).stage();
        known(path + ".stages[%d].stage".formatted(j), stage, stageNames(), "stages");
      }
    }
  }

  private void leftOut() {
    LeftOut left = plan.budget().leaves();
    List<String> optional =
        plan.budget().stages().stream()
            .filter(StageBudget::optional)
            .map(StageBudget::name)
            .toList();
    unique("budget.leftOut.stages", left.stages());
    for (int i = 0; i < left.stages().size(); i++) {
      known(
          "budget.leftOut.stages[%d]".formatted(i),
          left.stages().get(i),
          optional,
          "optional stages");
    }
    if (left.startLevel() != null) {
      List<String> running =
          plan.budget().levels().stream()
              .skip(1)
              .filter(level -> level.answer() == AnswerSource.STAGES)
              .map(FallbackLevel::name)
              .toList();
      known(
          "budget.leftOut.startLevel",
          left.startLevel(),
          running,
          "levels below the first that run stages");
    }
    if (!(left.trialShare() > 0 && left.trialShare() <= 1)) {
      wrong(
          "budget.leftOut.trialShare",
          left.trialShare() + "; above 0 and at most 1, or nobody would notice a recovery");
    }
  }

  private void stages() {
    sameNames(
        "stages",
        plan.stages().stream().map(StagePlan::name).toList(),
        plan.budget().stages().stream().map(StageBudget::name).toList());
    List<String> backends = plan.backends().stream().map(BackendPlan::name).toList();
    unique("backends", backends);
    for (int i = 0; i < plan.backends().size(); i++) {
      if (plan.backends().get(i).maxConcurrent() < 1) {
        wrong("backends[%d].maxConcurrent".formatted(i), "below 1; no call could be made");
      }
    }
    for (int i = 0; i < plan.stages().size(); i++) {
      StagePlan stage = plan.stages().get(i);
      String path = "stages[%d]".formatted(i);
      if (stage.variants().isEmpty() || !stage.variants().getFirst().id().equals("v0")) {
        wrong(path + ".variants", "the first one must be v0");
      }
      unique(path + ".variants", stage.variants().stream().map(VariantPlan::id).toList());
      for (int j = 0; j < stage.variants().size(); j++) {
        String backend = stage.variants().get(j).backend();
        known(path + ".variants[%d].backend".formatted(j), backend, backends, "backends");
      }
      VariantPlan fallback = stage.fallback();
      if (fallback != null) {
        known(path + ".fallback.backend", fallback.backend(), backends, "backends");
      }
      VariantPlan speculative = stage.speculative();
      if (speculative != null) {
        known(path + ".speculative.backend", speculative.backend(), backends, "backends");
      }
    }
  }

  private void levels() {
    sameNames(
        "levels",
        plan.levels().stream().map(LevelPlan::name).toList(),
        plan.budget().levels().stream().map(FallbackLevel::name).toList());
    for (int i = 0; i < plan.levels().size(); i++) {
      for (var variant : plan.levels().get(i).variants().entrySet()) {
        String path = "levels[%d].variants.%s".formatted(i, variant.getKey());
        List<String> ids =
            plan.stages().stream()
                .filter(stage -> stage.name().equals(variant.getKey()))
                .flatMap(stage -> stage.variants().stream())
                .map(VariantPlan::id)
                .toList();
        known(path, variant.getValue(), ids, "variants of stage " + variant.getKey());
      }
    }
  }

  private void boundaries() {
    if (plan.boundaries().isEmpty()) {
      wrong("boundaries", "empty; histograms need upper boundaries in seconds");
    }
    double previous = 0;
    for (int i = 0; i < plan.boundaries().size(); i++) {
      double boundary = plan.boundaries().get(i);
      if (!(boundary > previous) || Double.isInfinite(boundary)) {
        wrong(
            "boundaries[%d]".formatted(i),
            "%s after %s; boundaries rise and are finite".formatted(boundary, previous));
      }
      previous = boundary;
    }
  }

  private List<String> stageNames() {
    return plan.budget().stages().stream().map(StageBudget::name).toList();
  }

  private void sameNames(String path, List<String> found, List<String> wanted) {
    if (!found.equals(wanted)) {
      wrong(path, "%s; the budget has %s in this order".formatted(found, wanted));
    }
  }

  private void known(String path, String name, List<String> names, String where) {
    if (!names.contains(name)) {
      wrong(path, "\"%s\" is not among the %s %s".formatted(name, where, names));
    }
  }

  private void unique(String path, List<String> names) {
    Set<String> seen = new HashSet<>();
    String twice =
        names.stream().filter(name -> !seen.add(name)).distinct().collect(Collectors.joining(", "));
    if (!twice.isEmpty()) {
      wrong(path, twice + " is there more than once");
    }
  }

  private void wrong(String path, String message) {
    findings.add(new Finding(path, REASON, message));
  }
}
