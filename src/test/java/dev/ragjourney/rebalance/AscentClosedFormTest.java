package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.rebalance.StageModel.AtLevel;
import dev.ragjourney.rebalance.StageModel.Range;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two exponential stages, the first one optional, within three seconds. */
class AscentClosedFormTest {
  private static final double TOTAL = 3;
  private static final Grid GRID = Grid.of(Duration.ofSeconds(3), 300);
  private static final Objective OBJECTIVE = Objective.missing(0.01);

  /** P(X ≤ c, X + Y ≤ B). */
  private static double full(double a, double b, double cap) {
    double rate = 1 / a - 1 / b;
    double joint = Math.exp(-TOTAL / b) / a * (1 - Math.exp(-rate * cap)) / rate;
    return 1 - Math.exp(-cap / a) - joint;
  }

  /** P(min(X, c) + Y > B). */
  private static double miss(double a, double b, double cap) {
    double rate = 1 / a - 1 / b;
    double done = Math.exp(-TOTAL / b) / a * (1 - Math.exp(-rate * cap)) / rate;
    return done + Math.exp(-cap / a) * Math.exp(-(TOTAL - cap) / b);
  }

  private static JourneyModel model(double a, double b) {
    return Models.serial(
        GRID.last(),
        Models.holding(Models.optional(exponential(a)), Range.only(0)),
        Models.capped(
            Models.holding(Models.required(exponential(b)), Range.only(0)),
            Range.only(GRID.last())));
  }

  private static CellLaw exponential(double mean) {
    double[] longer = new double[GRID.last() + 2];
    for (int edge = 0; edge < longer.length; edge++) {
      longer[edge] = Math.exp(-edge * GRID.step() / mean);
    }
    return CellLaw.ofLonger(longer);
  }

  @ParameterizedTest(name = "means {0} and {1} s, cap at point {2}")
  @CsvSource({"0.3,0.5,20", "0.3,0.5,60", "0.3,0.5,250", "0.6,0.45,90", "0.15,0.7,10"})
  void a_cap_gives_what_the_formula_gives(double a, double b, int cap) {
    Ascent ascent = new Ascent(model(a, b), OBJECTIVE);

    Forecast forecast =
        ascent.forecast(Settings.of(new int[] {cap, GRID.last()}, new int[] {0, 0}));

    assertThat(forecast.full()).isCloseTo(full(a, b, GRID.limit(cap)), within(5e-4));
    assertThat(forecast.miss()).isCloseTo(miss(a, b, GRID.limit(cap)), within(5e-4));
  }

  @ParameterizedTest(name = "means {0} and {1} s")
  @CsvSource({"0.3,0.5", "0.6,0.45", "0.15,0.7", "0.5,0.62"})
  void the_best_cap_is_the_formulas(double a, double b) {
    JourneyModel model = model(a, b);
    Ascent ascent = new Ascent(model, OBJECTIVE);
    DoubleUnaryOperator worth =
        cap -> OBJECTIVE.worth(new Forecast(full(a, b, cap), miss(a, b, cap)));
    double best = 0;
    for (double cap = 0.001; cap <= TOTAL; cap += 0.001) {
      best = Math.max(best, worth.applyAsDouble(cap));
    }

    Settings found = ascent.best(List.of(Settings.loosest(model)));

    assertThat(OBJECTIVE.worth(ascent.forecast(found))).isCloseTo(best, within(1e-3));
  }

  @Test
  void the_ceiling_is_the_share_of_sums_within_the_total() {
    double a = 0.3;
    double b = 0.5;
    double sum = 1 - (b * Math.exp(-TOTAL / b) - a * Math.exp(-TOTAL / a)) / (b - a);

    assertThat(model(a, b).ceiling()).isCloseTo(sum, within(5e-4));
  }

  @Test
  void no_settings_pass_the_ceiling_and_without_caps_a_higher_cap_never_costs_full_answers() {
    JourneyModel model = model(0.4, 0.8);
    Ascent ascent = new Ascent(model, OBJECTIVE);
    double before = 0;
    for (int cap = 0; cap <= GRID.last(); cap += 10) {
      double full =
          ascent.forecast(Settings.of(new int[] {cap, GRID.last()}, new int[] {0, 0})).full();
      assertThat(full).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(model.ceiling() + 1e-12);
      before = full;
    }
    assertThat(before).isCloseTo(model.ceiling(), within(1e-9));
  }

  @Test
  void stages_side_by_side_take_as_long_as_the_slower_one() {
    StageModel one = Models.required(exponential(0.5));
    StageModel other = Models.required(exponential(0.9));
    JourneyModel both =
        new JourneyModel(GRID.last(), List.of(one, other), List.of(List.of(0, 1)), 1);

    Forecast forecast = new Ascent(both, OBJECTIVE).forecast(Settings.loosest(both));

    double expected = (1 - Math.exp(-TOTAL / 0.5)) * (1 - Math.exp(-TOTAL / 0.9));
    assertThat(forecast.full()).isCloseTo(expected, within(5e-4));
    assertThat(forecast.miss()).isCloseTo(1 - expected, within(5e-4));
    assertThat(both.ceiling()).isCloseTo(expected, within(5e-4));
  }

  @Test
  void an_optional_stage_beside_a_required_one_may_use_its_time() {
    StageModel optional = Models.capped(Models.optional(exponential(0.5)), new Range(0, 300));
    StageModel required = Models.required(CellLaw.ofMass(at(100)));
    JourneyModel both =
        new JourneyModel(
            GRID.last(),
            List.of(optional, required, Models.required(CellLaw.ofMass(at(200)))),
            List.of(List.of(0, 1), List.of(2)),
            1);
    Ascent ascent = new Ascent(both, Objective.missing(0));

    Settings best = ascent.best(List.of(Settings.loosest(both)));

    // Beside 100 points of the other stage it costs nothing; one more point would miss everything.
    assertThat(Math.min(best.cap(0), GRID.last() - best.hold(0))).isEqualTo(100);
    assertThat(ascent.forecast(best).miss()).isLessThan(1e-9);
  }

  @Test
  void below_its_level_a_journey_is_answered_and_not_full() {
    AtLevel runs = new AtLevel(true, 0, 0, GRID.last());
    StageModel first = Models.atLevels(Models.required(exponential(0.5)), runs, runs);
    StageModel last =
        Models.atLevels(
            Models.required(CellLaw.ofMass(at(100))),
            new AtLevel(true, 0, 0, 99),
            new AtLevel(true, 0, 0, 200));
    JourneyModel model =
        new JourneyModel(300, List.of(first, last), List.of(List.of(0), List.of(1)), 2);

    Forecast forecast = new Ascent(model, OBJECTIVE).forecast(Settings.loosest(model));

    assertThat(forecast.full()).isCloseTo(1 - Math.exp(-GRID.limit(99) / 0.5), within(5e-4));
    assertThat(forecast.miss()).isCloseTo(Math.exp(-GRID.limit(200) / 0.5), within(5e-4));
  }

  private static double[] at(int point) {
    double[] mass = new double[GRID.last() + 1];
    mass[point] = 1;
    return mass;
  }
}
