package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one stage runs at every level.
 *
 * @param name the stage's name, as in the budget
 * @param formByLevel the form at each level, by the level's index; a skipping or answering level
 *     repeats the one above
 * @param fallback what runs when the primary is late or failed; null for none
 * @param speculative the keyword search that starts with the question; null for none
 */
public record StageRoute(
    String name,
    List<StageForm> formByLevel,
    @Nullable StageForm fallback,
    @Nullable StageForm speculative) {
  public StageRoute {
    formByLevel = List.copyOf(formByLevel);
  }

  /** Every form in which the stage may run. */
  List<StageForm> forms() {
    List<StageForm> forms = new ArrayList<>(formByLevel);
    if (fallback != null) {
      forms.add(fallback);
    }
    if (speculative != null) {
      forms.add(speculative);
    }
    return forms;
  }
}
