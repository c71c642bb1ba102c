package dev.ragjourney.crd;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import java.util.List;

/** The ladder of a journey that declares none. */
final class DefaultLevels {
  private DefaultLevels() {}

  /** Full; then without the optional stages and with half the passages; then a static message. */
  static List<LevelSpec> of(List<StageAssembly> stages, FormAssembly forms, Defaults defaults) {
    List<String> optional =
        stages.stream().filter(StageAssembly::optional).map(StageAssembly::name).toList();
    List<LevelStageSpec> halved =
        stages.stream()
            .filter(stage -> !stage.optional() && forms.declared(stage).topK() > 0)
            .map(stage -> halved(stage.name(), forms.declared(stage).topK()))
            .toList();
    return List.of(
        new LevelSpec(
            Defaults.FULL,
            Durations.format(defaults.fullMinRemaining()),
            null,
            null,
            null,
            null,
            null,
            null),
        new LevelSpec(
            Defaults.FAST,
            Durations.format(defaults.fastMinRemaining()),
            null,
            optional,
            halved,
            null,
            null,
            null),
        new LevelSpec(
            Defaults.SORRY,
            null,
            null,
            null,
            null,
            AnswerSource.STATIC.label(),
            Defaults.STATIC_MESSAGE,
            null));
  }

  private static LevelStageSpec halved(String stage, int topK) {
    return new LevelStageSpec(
        stage, null, Math.ceilDiv(topK, 2), null, null, null, null, null, null, null);
  }
}
