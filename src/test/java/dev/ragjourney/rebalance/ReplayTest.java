package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
  @ParameterizedTest(name = "window {0}")
  @ValueSource(ints = {0, 10, 20, 30, 40})
  void journeys_one_by_one_give_what_the_model_gives(int window) {
    JourneyBudget budget = Assistant.seed();
    QualitySearch search = Assistant.search(budget, Assistant.drift(window));
    Settings settings = search.onGrid().settings(budget);

    Forecast model = search.forecast(settings);
    Forecast replayed = Replay.of(search.model()).forecast(settings);

    assertThat(replayed.full()).isCloseTo(model.full(), within(0.02));
    assertThat(replayed.miss()).isCloseTo(model.miss(), within(0.01));
  }

  @Test
  void the_same_settings_gain_nothing_for_sure() {
    JourneyBudget budget = Assistant.seed();
    QualitySearch search = Assistant.search(budget, Assistant.typical());
    Settings settings = search.onGrid().settings(budget);

    Replay.Gain gain = Replay.of(search.model()).gain(settings, settings, 3);

    assertThat(gain.mean()).isZero();
    assertThat(gain.error(100)).isZero();
  }

  @Test
  void a_gain_is_the_difference_of_the_forecasts_and_surer_than_either() {
    JourneyBudget budget = Assistant.seed();
    QualitySearch search = Assistant.search(budget, Assistant.typical());
    Settings from = search.onGrid().settings(budget);
    Settings to = Settings.loosest(search.model());

    Replay replay = Replay.of(search.model());
    Replay.Gain gain = replay.gain(from, to, 0);

    double full = replay.forecast(to).full() - replay.forecast(from).full();
    assertThat(gain.mean()).isCloseTo(full, within(1e-9)).isPositive();
    // Journeys that both settings treat alike do not count: √p for a share p that differs.
    assertThat(gain.deviation()).isCloseTo(Math.sqrt(full - full * full), within(0.05));
    assertThat(gain.error(400)).isCloseTo(gain.deviation() / 20, within(1e-12));
  }

  @Test
  void calls_that_fail_cost_the_journeys_what_they_cost_the_model() {
    JourneyBudget budget = Assistant.seed();
    Evidence sound = Assistant.evidence(Assistant.typical(), 1e9, false);
    Evidence failing =
        new Evidence(
            sound.laws(),
            sound.fallbacks(),
            Map.of("rerank", 0.2, "search", 0.1, "generate", 0.1),
            List.of(),
            sound.calls(),
            false);
    QualitySearch search = new QualitySearch(budget, Assistant.policy(Rule.MAX_QUALITY), failing);
    Settings settings = search.inForce();

    Forecast model = search.forecast(settings);
    Forecast replayed = Replay.of(search.model()).forecast(settings);

    assertThat(model.full()).isLessThan(0.6);
    assertThat(replayed.full()).isCloseTo(model.full(), within(0.02));
    assertThat(replayed.miss()).isCloseTo(model.miss(), within(0.01));
  }

  @Test
  void where_all_times_double_the_best_settings_double() {
    Map<String, Laws> once = Assistant.typical();
    Map<String, Laws> twice = new HashMap<>();
    once.forEach((stage, law) -> twice.put(stage, law.times(2)));
    Grid grid = Grid.of(Duration.ofSeconds(3), 100);
    Grid doubled = Grid.of(Duration.ofSeconds(6), 100);

    Settings best = best(once, grid);

    assertThat(best(twice, doubled)).isEqualTo(best);
    for (int stage = 0; stage < 4; stage++) {
      assertThat(doubled.limit(best.cap(stage))).isEqualTo(2 * grid.limit(best.cap(stage)));
    }
  }

  private static Settings best(Map<String, Laws> laws, Grid grid) {
    StageModel[] stages =
        Stream.of("rewrite", "search", "rerank", "generate")
            .map(
                stage ->
                    stage.equals("generate")
                        ? Models.required(laws.get(stage).on(grid))
                        : Models.optional(laws.get(stage).on(grid)))
            .toArray(StageModel[]::new);
    JourneyModel model = Models.serial(grid.last(), stages);
    return new Ascent(model, Objective.missing(0.01)).best(List.of(Settings.loosest(model)));
  }
}
