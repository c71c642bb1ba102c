package dev.ragjourney.crd;

import static dev.ragjourney.budget.StageType.EMBED;
import static dev.ragjourney.budget.StageType.GENERATE;
import static dev.ragjourney.budget.StageType.RERANK;
import static dev.ragjourney.budget.StageType.SEARCH;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The stages of a journey that names none: all embedded. */
final class DefaultStages {
  private static final List<StageSpec> STAGES =
      List.of(
          stage(EMBED, false), stage(SEARCH, false), stage(RERANK, true), stage(GENERATE, false));

  private DefaultStages() {}

  static List<StageSpec> orGiven(RagJourneySpec spec) {
    return spec.stages() == null ? STAGES : spec.stages();
  }

  static StageType type(StageSpec stage) {
    String label = Values.given(stage.type());
    return Arrays.stream(StageType.values())
        .filter(type -> type.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private static StageSpec stage(StageType type, boolean optional) {
    return StageSpec.of(type.label().toLowerCase(Locale.ROOT), type.label(), optional);
  }
}
