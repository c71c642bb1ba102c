package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.rebalance.StageModel.Range;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Six stages within three seconds, against figures of a Monte Carlo simulation of 400,000 requests
 * (standard error 0.05 point) in which neither levels nor a fallback's own cap limit anything.
 */
class AscentReferenceTest {
  private static final Grid GRID = Grid.of(Duration.ofSeconds(3), 300);
  private static final Objective OBJECTIVE = Objective.missing(0.01);

  private static final Map<String, List<Laws>> STAGES =
      Map.of(
          "typical", stages(0.95),
          "tight", stages(1.25),
          "bimodal",
              List.of(
                  Laws.lognormal(0.15, 0.4).or(0.12, 0.9, 0.4),
                  Laws.lognormal(0.035, 0.35).or(0.03, 0.25, 0.3),
                  Laws.lognormal(0.22, 0.4).or(0.10, 1.5, 0.5),
                  Laws.lognormal(0.22, 0.4).or(0.10, 1.3, 0.5),
                  Laws.lognormal(0.01, 0.3),
                  Laws.lognormal(0.9, 0.35).or(0.08, 2.2, 0.4)));

  private static List<Laws> stages(double generate) {
    return List.of(
        Laws.lognormal(0.18, 0.45),
        Laws.lognormal(0.035, 0.35),
        Laws.lognormal(0.26, 0.45).or(0.04, 1.4, 0.3),
        Laws.lognormal(0.24, 0.5),
        Laws.lognormal(0.01, 0.3),
        Laws.lognormal(generate, 0.4));
  }

  private static JourneyModel model(String kind, boolean hedged) {
    List<Laws> laws = STAGES.get(kind);
    Range before = new Range(60, 200);
    return Models.serial(
        GRID.last(),
        Models.holding(Models.optional(laws.get(0).on(GRID)), before),
        Models.holding(fallback(laws.get(1), Laws.lognormal(0.015, 0.2), hedged), before),
        Models.holding(fallback(laws.get(2), Laws.lognormal(0.06, 0.3), hedged), before),
        Models.holding(Models.optional(laws.get(3).on(GRID)), before),
        Models.holding(fallback(laws.get(4), Laws.lognormal(0.002, 0.2), hedged), before),
        Models.capped(
            Models.holding(
                fallback(laws.get(5), Laws.lognormal(0.35, 0.35), hedged), new Range(0, 170)),
            Range.only(GRID.last())));
  }

  private static StageModel fallback(Laws own, Laws other, boolean hedged) {
    return hedged
        ? Models.hedged(own.on(GRID), other.on(GRID))
        : Models.cancelling(own.on(GRID), other.on(GRID));
  }

  /** 400, 100, 1000, 700 and 50 ms, 600 ms kept for generate, 400 ms for its fallback. */
  private static Settings seed() {
    return settings(400, 100, 1000, 700, 50, 3000);
  }

  private static Settings settings(int... capMillis) {
    int[] caps = new int[6];
    int[] holds = new int[6];
    for (int i = 0; i < 6; i++) {
      caps[i] = GRID.upTo(ms(capMillis[i]));
      holds[i] = GRID.points(ms(i == 5 ? 400 : 600));
    }
    return Settings.of(caps, holds);
  }

  @ParameterizedTest(name = "{0}, hedged {1}: {2} % full, {3} % missed")
  @CsvSource({
    "typical,true,89.0,1.0",
    "tight,true,82.3,3.5",
    "bimodal,true,68.1,2.0",
    "typical,false,85.4,2.8"
  })
  void given_caps_give_what_the_simulation_gives(
      String kind, boolean hedged, double full, double miss) {
    Forecast forecast = new Ascent(model(kind, hedged), OBJECTIVE).forecast(seed());

    assertThat(forecast.full() * 100).isCloseTo(full, within(0.5));
    assertThat(forecast.miss() * 100).isCloseTo(miss, within(0.3));
  }

  @ParameterizedTest(name = "{0}, hedged {1}: {2} % full, {3} % missed")
  @CsvSource({
    "typical,true,95.3,1.4",
    "tight,true,87.3,3.9",
    "bimodal,true,84.1,5.1",
    "typical,false,90.5,3.3"
  })
  void no_caps_give_what_the_simulation_gives(
      String kind, boolean hedged, double full, double miss) {
    Settings none = settings(3000, 3000, 3000, 3000, 3000, 3000);
    Forecast forecast = new Ascent(model(kind, hedged), OBJECTIVE).forecast(none);

    assertThat(forecast.full() * 100).isCloseTo(full, within(0.5));
    assertThat(forecast.miss() * 100).isCloseTo(miss, within(0.3));
  }

  @ParameterizedTest(name = "{0}: {1} % full, {2} % missed, worth {3}; {4} % at most")
  @CsvSource({
    "typical,94.9,0.9,94.9,96.0",
    "tight,84.1,1.1,83.8,88.9",
    "bimodal,81.5,1.1,81.3,85.2"
  })
  void the_optimum_is_the_simulations(
      String kind, double full, double miss, double worth, double ceiling) {
    JourneyModel model = model(kind, true);
    Ascent ascent = new Ascent(model, OBJECTIVE);

    Settings best = ascent.best(List.of(seed(), Settings.loosest(model)));
    Forecast forecast = ascent.forecast(best);
    assertThat(OBJECTIVE.worth(forecast) * 100).isCloseTo(worth, within(0.5));
    Forecast settled = ascent.forecast(ascent.settled(best, seed()));
    assertThat(OBJECTIVE.worth(settled)).isCloseTo(OBJECTIVE.worth(forecast), within(0.001));
    assertThat(model.ceiling() * 100).isCloseTo(ceiling, within(0.2));
    assertThat(forecast.full() * 100).isCloseTo(full, within(1.0));
    assertThat(forecast.miss() * 100).isCloseTo(miss, within(0.3));
  }
}
