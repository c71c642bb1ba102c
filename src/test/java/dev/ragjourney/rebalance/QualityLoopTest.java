package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.rebalance.QualityLoop.Mover;
import dev.ragjourney.rebalance.QualityLoop.Run;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fifty windows of 2,000 journeys, seeded. */
class QualityLoopTest {
  private static final int JOURNEYS = 2_000;

  @ParameterizedTest(name = "window {0}")
  @ValueSource(ints = {0, 10, 20, 30, 40})
  void the_model_gives_what_the_budgets_own_arithmetic_gives(int window) {
    Map<String, Laws> laws = QualityLoop.drift(window);
    Forecast model = QualityLoop.forecast(QualityLoop.seed(), laws);
    Forecast pods = QualityLoop.simulated(QualityLoop.seed(), laws, 100_000);

    // A cap is known to half a point of the grid, 5 ms: where most calls take that long, it shows.
    assertThat(model.full()).isCloseTo(pods.full(), within(0.01));
    assertThat(model.miss()).isCloseTo(pods.miss(), within(0.003));
  }

  @Test
  void while_stages_get_slower_and_hang_most_answers_stay_full_and_few_are_missed() {
    Map<Mover, Run> runs = table("drift", QualityLoop::drift);

    assertThat(runs.get(Mover.MAX_QUALITY).worth())
        .isGreaterThan(runs.get(Mover.OPTIMUM).worth() - 1)
        .isGreaterThan(runs.get(Mover.P95_HEADROOM).worth() + 8);
    assertThat(runs.get(Mover.MAX_QUALITY).error()).isLessThan(1);
    assertThat(runs.get(Mover.MAX_QUALITY).recovery()).isLessThanOrEqualTo(3);
  }

  @Test
  void what_a_fallback_was_never_given_the_time_to_show_is_still_tried() {
    Run run = QualityLoop.run(Mover.MAX_QUALITY, QualityLoop::drift, JOURNEYS, 2);

    assertThat(run.miss()).isLessThan(1.5);
    assertThat(run.worth()).isGreaterThan(83);
  }

  @Test
  void without_a_change_of_the_world_little_is_written() {
    Map<Mover, Run> runs = table("stationary", _ -> QualityLoop.typical());

    Run run = runs.get(Mover.MAX_QUALITY);
    assertThat(run.writes()).isLessThanOrEqualTo(10);
    assertThat(run.worth()).isGreaterThan(runs.get(Mover.OPTIMUM).worth() - 1);
  }

  private static Map<Mover, Run> table(String name, IntFunction<Map<String, Laws>> world) {
    Map<Mover, Run> runs = new EnumMap<>(Mover.class);
    StringBuilder table =
        new StringBuilder(name)
            .append(
                "\n               full  miss     J  writes  error  recovery | J by ten windows\n");
    for (Mover mover : Mover.values()) {
      Run run = QualityLoop.run(mover, world, JOURNEYS, 1);
      runs.put(mover, run);
      table.append(
          String.format(
              Locale.ROOT,
              "%-13s %5.1f %5.2f %5.1f %7d %6.1f %9d |",
              mover,
              run.full(),
              run.miss(),
              run.worth(),
              run.writes(),
              run.error(),
              run.recovery()));
      for (int from = 0; from < QualityLoop.WINDOWS; from += 10) {
        table.append(String.format(Locale.ROOT, " %5.1f", run.worth(from, from + 10)));
      }
      table.append('\n');
    }
    System.out.println(table);
    return runs;
  }
}
