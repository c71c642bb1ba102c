package dev.ragjourney.cli;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.simulate.Law;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The laws that a scenario gives to a journey's calls, and those that it leaves to defaults. */
final class ScenarioLaws {
  private static final double USUAL_SIGMA = 0.5;

  private ScenarioLaws() {}

  /** What a law may be given for: stages, their fallbacks, and their forms at lower levels. */
  static Set<String> names(JourneyBudget budget) {
    Set<String> names = new LinkedHashSet<>();
    budget.stages().forEach(stage -> names.add(stage.name()));
    for (StageBudget stage : budget.stages()) {
      if (stage.fallback() != null) {
        names.add(fallback(stage));
      }
    }
    for (FallbackLevel level : budget.levels().subList(1, budget.levels().size())) {
      for (StageBudget stage : budget.stages()) {
        if (level.answer() == AnswerSource.STAGES && !level.skip().contains(stage.name())) {
          names.add(stage.name() + "." + level.name());
        }
      }
    }
    return names;
  }

  /** Adds a segment's laws to those of the segment before; what is wrong is told. */
  static void read(Field stages, JourneyBudget budget, Map<String, Law> laws) {
    Set<String> known = names(budget);
    stages
        .fields()
        .forEach(
            (name, field) -> {
              if (!known.contains(name)) {
                field.problem(unknown(name, budget));
                return;
              }
              Law law = LawReader.read(field);
              if (law != null) {
                laws.put(name, law);
              }
            });
  }

  private static String unknown(String name, JourneyBudget budget) {
    for (StageBudget stage : budget.stages()) {
      if (name.equals(fallback(stage))) {
        return "the stage " + stage.name() + " has no fallback in this journey";
      }
    }
    return "there is no such stage; a law may be given for " + String.join(", ", names(budget));
  }

  /**
   * Every law that a journey needs.
   *
   * @param given by the scenario
   * @param notes told of every default
   */
  static Map<String, Law> complete(
      JourneyBudget budget, Map<String, Law> given, Set<String> notes) {
    Map<String, Law> laws = new HashMap<>(given);
    laws.keySet().retainAll(names(budget));
    for (StageBudget stage : budget.stages()) {
      if (!laws.containsKey(stage.name())) {
        Duration median = median(stage, budget);
        laws.put(stage.name(), new Law.Lognormal(median, USUAL_SIGMA));
        notes.add(
            "%s has no law: lognormal is taken, median %d ms, sigma %s"
                .formatted(stage.name(), median.toMillis(), USUAL_SIGMA));
      }
      FallbackBudget fallback = stage.fallback();
      if (fallback != null && !laws.containsKey(fallback(stage))) {
        Duration half = fallback.cap().dividedBy(2);
        laws.put(fallback(stage), new Law.Constant(half));
        notes.add(
            "%s has no law: half of its cap is taken, always %d ms"
                .formatted(fallback(stage), half.toMillis()));
      }
    }
    return laws;
  }

  /** The expected median, else a third of the cap, else half of the floor. */
  private static Duration median(StageBudget stage, JourneyBudget budget) {
    Duration expected = stage.expectedP50();
    if (expected != null) {
      return expected;
    }
    @Nullable Duration cap = stage.cap();
    Duration share =
        cap != null
            ? cap.dividedBy(3)
            : stage.type() == StageType.GENERATE && !stage.floor().isZero()
                ? stage.floor().dividedBy(2)
                : budget.total().dividedBy(5);
    return share.isZero() ? Duration.ofMillis(1) : share;
  }

  private static String fallback(StageBudget stage) {
    return stage.name() + ".fallback";
  }
}
