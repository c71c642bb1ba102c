package dev.ragjourney.crd;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.LevelStageSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ladder of a journey that declares none: full; then without the optional stages and with half
 * the passages; then the semantic cache, where one is declared; then a static message.
 *
 * <p>Full starts at 50 % of the total and fast at 25 %, or later where the floors need more. With G
 * the floor of Generate and R what the other required stages, the reserve and the least useful
 * allowance need: full ≥ G + R. Generate's floor at fast is G × fast / full, so that fast fits from
 * fast ≥ R / (1 − G / full). Where that is not below full there is no fast.
 */
final class DefaultLevels {
  private DefaultLevels() {}

  static List<LevelSpec> of(
      List<StageAssembly> stages,
      FormAssembly forms,
      Defaults defaults,
      Duration reserve,
      boolean cached) {
    long generate = floors(stages, true);
    long others = floors(stages, false) + reserve.toMillis() + defaults.minUseful().toMillis();
    long full = Math.max(defaults.fullMinRemaining().toMillis(), generate + others);
    long fast =
        Math.max(
            defaults.fastMinRemaining().toMillis(), Math.ceilDiv(others * full, full - generate));
    List<LevelSpec> levels = new ArrayList<>();
    levels.add(running(Defaults.FULL, full, null, null));
    if (fast < full) {
      levels.add(running(Defaults.FAST, fast, optional(stages), halved(stages, forms)));
    }
    if (cached) {
      levels.add(answering(Defaults.CACHED, AnswerSource.SEMANTIC_CACHE, null));
    }
    levels.add(answering(Defaults.SORRY, AnswerSource.STATIC, Defaults.STATIC_MESSAGE));
    return List.copyOf(levels);
  }

  private static long floors(List<StageAssembly> stages, boolean generating) {
    return stages.stream()
        .filter(stage -> stage.generates() == generating && !stage.optional())
        .mapToLong(stage -> stage.floor().toMillis())
        .sum();
  }

  private static List<String> optional(List<StageAssembly> stages) {
    return stages.stream().filter(StageAssembly::optional).map(StageAssembly::name).toList();
  }

  private static List<LevelStageSpec> halved(List<StageAssembly> stages, FormAssembly forms) {
    return stages.stream()
        .filter(stage -> !stage.optional() && forms.declared(stage).topK() > 0)
        .map(stage -> halved(stage.name(), forms.declared(stage).topK()))
        .toList();
  }

  private static LevelStageSpec halved(String stage, int topK) {
    return new LevelStageSpec(
        stage, null, Math.ceilDiv(topK, 2), null, null, null, null, null, null, null);
  }

  private static LevelSpec answering(String name, AnswerSource answer, @Nullable String message) {
    return new LevelSpec(name, null, null, null, null, answer.label(), message, null, null);
  }

  private static LevelSpec running(
      String name,
      long minRemaining,
      @Nullable List<String> skip,
      @Nullable List<LevelStageSpec> stages) {
    return new LevelSpec(
        name,
        Durations.format(Duration.ofMillis(minRemaining)),
        null,
        skip,
        stages,
        null,
        null,
        null,
        null);
  }
}
