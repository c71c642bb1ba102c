package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.simulate.Mover;
import dev.ragjourney.simulate.MoverResult;
import dev.ragjourney.simulate.Scenario;
import dev.ragjourney.simulate.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods and rounds through hours that are hard on a rule, seeded; prints what came of each. */
class ScenariosTest {
  private static final Path FOLDER = Path.of("src/test/resources/scenarios");
  private static final Map<String, Map<Mover, MoverResult>> RESULTS = new TreeMap<>();

  /** A rule may cost no more than that against leaving all caps alone, in points of J. */
  private static final double HARMLESS = 0.5;

  static List<String> scenarios() {
    return List.of(
        "autocorrelated",
        "bimodal",
        "bursts",
        "busy",
        "correlated",
        "drift",
        "edited",
        "errors",
        "few-requests",
        "hanging-reranker",
        "hung",
        "late",
        "mis-set",
        "one-request",
        "resets",
        "silence",
        "stationary",
        "tight",
        "two-revisions");
  }

  @BeforeAll
  static void run() throws IOException {
    TextTable table =
        new TextTable(
            "SCENARIO", "WHO", "FULL %", "MISS %", "J", "WRITES", "RECOVERY", "ERROR", "HOLDS");
    for (String name : scenarios()) {
      Map<Mover, MoverResult> results = Simulation.run(scenario(name));
      RESULTS.put(name, results);
      results.forEach((mover, result) -> row(table, name, result));
    }
    System.out.println(table.text(0));
  }

  private static Scenario scenario(String name) throws IOException {
    Path example = Path.of("examples/scenarios", name + ".yaml");
    Path file = Files.exists(example) ? example : FOLDER.resolve(name + ".yaml");
    return ScenarioFile.read(file).scenario();
  }

  private static void row(TextTable table, String name, MoverResult result) {
    Map<String, Integer> holds = new TreeMap<>();
    result.holds().forEach(hold -> holds.merge(hold.reason(), 1, Integer::sum));
    Double error = result.predictionErrorPoints();
    table.row(
        name,
        result.mover().label(),
        figure(result.full()),
        figure(result.miss()),
        figure(result.j()),
        result.writes(),
        result.recoveryWindows(),
        error == null ? "-" : figure(error),
        holds.isEmpty() ? "" : holds);
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static MoverResult of(String scenario, Mover mover) {
    return RESULTS.get(scenario).get(mover);
  }

  private static double j(String scenario, Mover mover) {
    return of(scenario, mover).j();
  }

  @Test
  void every_scenario_of_the_folder_is_run() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString().replace(".yaml", ""))
              .filter(name -> !name.startsWith("journey"))
              .toList();
      assertThat(scenarios()).hasSizeGreaterThan(10).containsAll(names);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void nobody_beats_the_optimum_in_any_window(String scenario) {
    MoverResult optimum = of(scenario, Mover.OPTIMUM);
    for (MoverResult result : RESULTS.get(scenario).values()) {
      for (int w = 0; w < optimum.windows().size(); w++) {
        Double best = optimum.windows().get(w).j();
        if (best != null) {
          assertThat(result.windows().get(w).j())
              .as("%s, window %d", result.mover(), w)
              .isLessThanOrEqualTo(best + 1e-9);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_rule_does_no_harm_against_leaving_the_caps_alone(String scenario) {
    assertThat(j(scenario, Mover.MAX_QUALITY))
        .isGreaterThanOrEqualTo(j(scenario, Mover.STATIC) - HARMLESS);
  }

  @Test
  void while_latencies_change_the_rule_stays_near_the_optimum_and_far_above_the_plain_one() {
    MoverResult rule = of("drift", Mover.MAX_QUALITY);

    assertThat(rule.j())
        .isGreaterThanOrEqualTo(j("drift", Mover.OPTIMUM) - 1)
        .isGreaterThanOrEqualTo(j("drift", Mover.P95_HEADROOM) + 8);
    assertThat(rule.recoveryWindows()).isLessThanOrEqualTo(3);
    assertThat(rule.predictionErrorPoints()).isLessThan(1);
    assertThat(j("drift", Mover.P95_SUCCESSES_ONLY))
        .as("told only of calls that gave a result, the plain rule spirals down")
        .isLessThan(j("drift", Mover.P95_HEADROOM));
  }

  @Test
  void what_a_fallback_was_never_given_the_time_to_show_is_still_tried() throws IOException {
    Scenario drift = scenario("drift");
    Scenario other =
        new Scenario(
            2,
            drift.windows(),
            drift.correlation(),
            drift.autocorrelation(),
            drift.late(),
            drift.epochs(),
            drift.counterResets(),
            drift.load(),
            drift.rollout());
    MoverResult rule = Simulation.run(other).get(Mover.MAX_QUALITY);

    assertThat(rule.miss()).isLessThan(1.5);
    assertThat(rule.j()).isGreaterThan(83);
  }

  @Test
  void without_a_change_of_the_world_little_is_written() {
    MoverResult rule = of("stationary", Mover.MAX_QUALITY);

    assertThat(rule.writes()).isLessThanOrEqualTo(10);
    assertThat(rule.j()).isGreaterThanOrEqualTo(j("stationary", Mover.OPTIMUM) - 1);
    assertThat(of("stationary", Mover.STATIC).windows())
        .allSatisfy(window -> assertThat(window.full()).isCloseTo(88.9, within(0.1)));
  }

  @Test
  void where_nothing_can_be_known_nothing_moves_and_the_reason_is_told() {
    assertThat(reasons("one-request")).containsOnlyKeys("TooFewSamples");
    assertThat(reasons("late")).containsOnlyKeys("NoTraffic", "Stale");
    assertThat(reasons("resets")).containsKey("CounterReset");
    assertThat(reasons("silence")).containsKey("NoTraffic");
    assertThat(reasons("errors")).containsKey("ErrorsDominate");
    for (String still : List.of("one-request", "late")) {
      assertThat(of(still, Mover.MAX_QUALITY).writes()).as(still).isZero();
      assertThat(j(still, Mover.MAX_QUALITY)).isEqualTo(j(still, Mover.STATIC));
    }
  }

  private static Map<String, Long> reasons(String scenario) {
    Map<String, Long> reasons = new TreeMap<>();
    of(scenario, Mover.MAX_QUALITY)
        .holds()
        .forEach(hold -> reasons.merge(hold.reason(), 1L, Long::sum));
    return reasons;
  }

  @Test
  void a_counter_reset_holds_as_long_as_it_is_in_the_window() {
    List<Integer> held =
        of("resets", Mover.MAX_QUALITY).holds().stream()
            .filter(hold -> hold.reason().equals("CounterReset"))
            .map(MoverResult.Hold::window)
            .toList();
    assertThat(held).contains(3, 4, 8, 9, 11).doesNotContain(2);
  }

  @Test
  void a_stage_that_only_costs_time_is_left_out_while_it_hangs_and_comes_back_once() {
    List<MoverResult.Window> windows = of("hanging-reranker", Mover.MAX_QUALITY).windows();
    List<Integer> out =
        IntStream.range(0, windows.size())
            .filter(w -> !windows.get(w).settings().leaves().nothing())
            .boxed()
            .toList();

    assertThat(out.getFirst()).as("three windows of it, and the move").isEqualTo(9);
    assertThat(out.getLast()).as("until it is well again").isBetween(28, 30);
    assertThat(out).as("without a break").hasSize(out.getLast() - out.getFirst() + 1);
    assertThat(windows.get(15).settings().leaves()).isEqualTo(LeftOut.NOTHING.with("rerank"));
    assertThat(windows.get(15).j() - of("hanging-reranker", Mover.STATIC).windows().get(15).j())
        .as("points of J in each of those windows")
        .isGreaterThan(40);
    assertThat(j("hanging-reranker", Mover.MAX_QUALITY))
        .isGreaterThan(j("hanging-reranker", Mover.P95_HEADROOM) + 40)
        .isGreaterThan(j("hanging-reranker", Mover.STATIC) + 30);
  }

  @Test
  void windows_without_requests_count_nowhere() {
    MoverResult silent = of("silence", Mover.MAX_QUALITY);

    assertThat(silent.windows().get(7).j()).isNull();
    assertThat(mean(silent, MoverResult.Window::j)).isCloseTo(silent.j(), within(1e-9));
  }

  private static double mean(MoverResult result, ToDoubleFunction<MoverResult.Window> figure) {
    return result.windows().stream()
        .filter(window -> window.j() != null)
        .mapToDouble(figure)
        .average()
        .orElseThrow();
  }

  @Test
  void an_edit_drops_what_was_moved_and_the_new_total_holds_at_once() {
    MoverResult edited = of("edited", Mover.P95_HEADROOM);

    assertThat(edited.windows().get(7).settings().total()).hasSeconds(3);
    assertThat(edited.windows().get(8).settings().total()).hasMillis(1_200);
    assertThat(edited.windows().get(8).settings())
        .isEqualTo(of("edited", Mover.STATIC).windows().get(8).settings());
  }

  @Test
  void slower_backends_under_more_load_cost_full_answers() {
    List<MoverResult.Window> windows = of("busy", Mover.STATIC).windows();
    double before = windows.subList(0, 5).stream().mapToDouble(w -> w.full()).average().orElse(0);
    double after = windows.subList(5, 10).stream().mapToDouble(w -> w.full()).average().orElse(0);

    assertThat(before).as("waiting costs something").isLessThan(88.5);
    assertThat(after).isLessThan(before);
    assertThat(of("bursts", Mover.STATIC).full()).isLessThan(before);
  }

  @Test
  void stages_that_are_slow_together_miss_more_than_the_forecast_of_independent_ones() {
    assertThat(of("correlated", Mover.STATIC).miss())
        .isGreaterThan(of("stationary", Mover.STATIC).miss() + 1);
  }
}
