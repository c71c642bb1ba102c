package dev.ragjourney.pipeline;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.StageBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Which journeys are drilled by themselves, and how. */
final class Drills {
  private Drills() {}

  /**
   * The drill of one journey: what the request asks for, else one of the stages at random in the
   * declared share of the journeys. A pod with too much to do drills nothing by itself.
   */
  static @Nullable Drill of(Itinerary itinerary, Question question, DoubleSupplier chance) {
    double share = itinerary.route().policy().drillShare();
    if (question.drill() != null || share <= 0 || question.startLevel() > 0) {
      return question.drill();
    }
    List<String> stages = itinerary.drillable();
    if (stages.isEmpty() || chance.getAsDouble() >= share) {
      return null;
    }
    Drill.Failure[] failures = Drill.Failure.values();
    return new Drill(
        stages.get((int) (chance.getAsDouble() * stages.size())),
        failures[(int) (chance.getAsDouble() * failures.length)]);
  }

  /**
   * Stages whose failure another rung catches: optional ones, those with a fallback, and generate
   * where a lower level asks another backend or the cache. No drill is meant to end in a static
   * answer.
   */
  static List<String> drillable(Route route) {
    List<String> names = new ArrayList<>();
    for (int s = 0; s < route.stages().size(); s++) {
      StageBudget budget = route.budget().stages().get(s);
      if (budget.optional() || budget.fallback() != null || caughtBelow(route, s)) {
        names.add(budget.name());
      }
    }
    return List.copyOf(names);
  }

  private static boolean caughtBelow(Route route, int stage) {
    StageRoute forms = route.stages().get(stage);
    if (!(forms.formByLevel().getFirst().port() instanceof Generator)) {
      return false;
    }
    String own = forms.formByLevel().getFirst().backend();
    return route.budget().levels().stream()
            .anyMatch(level -> level.answer() == AnswerSource.SEMANTIC_CACHE)
        || forms.formByLevel().stream().anyMatch(form -> !form.backend().equals(own));
  }
}
