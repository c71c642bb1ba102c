package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
  @ParameterizedTest(name = "window {0}")
  @ValueSource(ints = {0, 10, 20, 30, 40})
  void journeys_one_by_one_give_what_the_model_gives(int window) {
    JourneyBudget budget = QualityLoop.seed();
    QualitySearch search = QualityLoop.search(budget, QualityLoop.drift(window));
    Settings settings = search.onGrid().settings(budget);

    Forecast model = search.forecast(settings);
    Forecast replayed = Replay.of(search.model()).forecast(settings);

    assertThat(replayed.full()).isCloseTo(model.full(), within(0.02));
    assertThat(replayed.miss()).isCloseTo(model.miss(), within(0.01));
  }

  @Test
  void the_same_settings_gain_nothing_for_sure() {
    JourneyBudget budget = QualityLoop.seed();
    QualitySearch search = QualityLoop.search(budget, QualityLoop.typical());
    Settings settings = search.onGrid().settings(budget);

    Replay.Gain gain = Replay.of(search.model()).gain(settings, settings, 3);

    assertThat(gain.mean()).isZero();
    assertThat(gain.error(100)).isZero();
  }

  @Test
  void a_gain_is_the_difference_of_the_forecasts_and_surer_than_either() {
    JourneyBudget budget = QualityLoop.seed();
    QualitySearch search = QualityLoop.search(budget, QualityLoop.typical());
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
}
