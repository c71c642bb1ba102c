package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.simulate.SimulatedPods;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The model that forecasts, against the pods' own engine on the same laws. */
class ForecastTest {
  private static final int JOURNEYS = 100_000;

  @ParameterizedTest(name = "window {0}")
  @ValueSource(ints = {0, 10, 20, 30, 40})
  void the_model_gives_what_pods_give(int window) {
    Map<String, Laws> laws = Assistant.drift(window);
    Forecast model = Assistant.forecast(Assistant.seed(), laws);
    Map<String, Double> answers =
        new SimulatedPods(3)
            .run(
                Assistant.seed(), Assistant.world(laws), JOURNEYS, Journeys.NOW, Assistant.INTERVAL)
            .answers();

    // A cap is known to half a point of the grid, 5 ms: where most calls take that long, it shows.
    assertThat(model.full()).isCloseTo(share(answers, "full"), within(0.01));
    assertThat(model.miss()).isCloseTo(share(answers, "static"), within(0.003));
  }

  private static double share(Map<String, Double> answers, String outcome) {
    return answers.getOrDefault(outcome, 0.0) / JOURNEYS;
  }
}
