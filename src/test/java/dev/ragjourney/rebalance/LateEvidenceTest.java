package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.LAYOUT;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.TOTAL;
import static dev.ragjourney.rebalance.Journeys.budget;
import static dev.ragjourney.rebalance.Journeys.calls;
import static dev.ragjourney.rebalance.Journeys.histogram;
import static dev.ragjourney.rebalance.Journeys.input;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.reading;
import static dev.ragjourney.rebalance.Journeys.required;
import static dev.ragjourney.rebalance.Journeys.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls tell that went on after their cut at the cap. */
class LateEvidenceTest {
  private static final Grid CELLS = new Grid(19, 0.1);
  private static final Grid GRID = Grid.of(TOTAL, 300);
  private static final double MEDIAN = 0.3;
  private static final double SIGMA = 0.6;
  private static final Laws LOGNORMAL = Laws.lognormal(MEDIAN, SIGMA);

  /** The 90th percentile. */
  private static final double CAP = MEDIAN * Math.exp(SIGMA * Normal.quantile(0.9));

  private static final int CALLS = 40_000;
  private static final int SEEDS = 20;
  private static final int SAMPLED = CALLS / 100;

  @Test
  void a_late_call_is_at_risk_from_the_cap_until_its_end() {
    // 1000 calls, 800 done by the cap of 300 ms. Of 100 sampled 50 end in the next cell, 25 in the
    // one after.
    HazardTable table = new HazardTable(CELLS);
    table.add(counts(0, 300, 500), counts(0, 0, 200), counts(), 0.3);
    table.addLate(counts(0, 0, 0, 50, 25, 25), counts(), 0.3);

    CellLaw law = Objects.requireNonNull(table.law());
    assertThat(edge(law, 3)).isCloseTo(0.2, within(1e-9));
    assertThat(edge(law, 4)).isCloseTo(0.1, within(1e-9));
    assertThat(edge(law, 5)).isCloseTo(0.05, within(1e-9));
    assertThat(table.calls()).as("they were counted when they were cut").isEqualTo(1000);
  }

  @Test
  void one_that_was_given_up_still_running_is_at_risk_until_then() {
    // Of 100 at risk 20 are given up in the cell: 45 of 90 end. 35 are left, all of them end next.
    HazardTable table = new HazardTable(CELLS);
    table.add(counts(0, 300, 500), counts(0, 0, 200), counts(), 0.3);
    table.addLate(counts(0, 0, 0, 45, 35), counts(0, 0, 0, 20), 0.3);

    CellLaw law = Objects.requireNonNull(table.law());
    assertThat(edge(law, 4)).isCloseTo(0.1, within(1e-9));
    assertThat(edge(law, 5)).isCloseTo(0, within(1e-9));
  }

  @Test
  void a_cap_inside_a_bucket_begins_the_bucket_there() {
    // Cap 350 ms in a bucket from 200 to 400 ms; cells of 50 ms.
    List<Double> wide = List.of(0.2, 0.4, 0.8);
    HazardTable table = new HazardTable(new Grid(39, 0.05));
    table.add(
        counts(wide, 500, 400, 0, 0), counts(wide, 0, 100, 0, 0), counts(wide, 0, 0, 0, 0), 0.35);
    table.addLate(counts(wide, 0, 50, 0, 0), counts(wide, 0, 0, 0, 50), 0.35);

    CellLaw law = Objects.requireNonNull(table.law());
    assertThat(edge(law, 7)).isCloseTo(0.1, within(1e-9));
    assertThat(edge(law, 8)).isCloseTo(0.05, within(1e-9));
    assertThat(edge(law, 16)).as("what never ended").isCloseTo(0.05, within(1e-9));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void beyond_a_cap_at_p90_the_p99_is_found_within_the_sampling_error(long seed) {
    double p99 = MEDIAN * Math.exp(SIGMA * Normal.quantile(0.99));

    double found = longerThan(law(LOGNORMAL, CAP, seed, true), p99);

    // The 1 % beyond is the tenth part of what goes beyond the cap, found by 400 calls.
    double error = 0.1 * Math.sqrt(0.1 * 0.9 / SAMPLED);
    assertThat(found).isCloseTo(0.01, within(3 * error));
  }

  @Test
  void calls_of_another_kind_beyond_the_cap_are_found_and_never_guessed() {
    // The cap cuts off 10 %, nearly half of them calls of a second kind that takes 1.6 s.
    Laws two = LOGNORMAL.or(0.05, 1.6, 0.1);
    double cap = MEDIAN * Math.exp(SIGMA * Normal.quantile(0.95));
    // At a boundary of the histogram: what lies between two is not told by any of them.
    double at = LAYOUT.get(histogram().bucketOf(1.3) - 1);
    double truth = two.longerThan(at);
    double with = 0;
    double without = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      with += longerThan(law(two, cap, seed, true), at) / SEEDS;
      without += longerThan(law(two, cap, seed, false), at) / SEEDS;
    }

    double error = 0.1 * Math.sqrt(0.5 * 0.5 / SAMPLED);
    assertThat(with).as("sampled").isCloseTo(truth, within(error));
    assertThat(without).as("only extrapolated").isLessThan(truth - 5 * error);
  }

  @Test
  void the_search_for_the_best_caps_sees_them() {
    Duration cap = Duration.ofMillis(600);
    JourneyBudget budget = budget(required("search", 600));
    double[] done = lognormal(1000, 0.2, 0.5);

    CellLaw without = evidence(budget, calls(cap, 200, done)).laws().get("search");
    CellLaw with =
        evidence(
                budget,
                late(
                    calls(cap, 200, done),
                    histogram(spread(90, 0.7, 0.8)),
                    histogram(spread(10, 3.1, 3.2))))
            .laws()
            .get("search");

    double beyond = 200.0 / 1200;
    assertThat(longerThan(without, 1)).as("a guess").isGreaterThan(beyond / 2);
    assertThat(longerThan(with, 1)).as("a tenth of them").isCloseTo(beyond / 10, within(0.003));
  }

  @Test
  void where_pods_had_different_caps_it_is_not_known_from_when_on_they_count() {
    JourneyBudget budget = budget(required("search", 600));
    StageWindow two = calls(Duration.ofMillis(600), 200, lognormal(1000, 0.2, 0.5));
    StageWindow.CapSpan span =
        new StageWindow.CapSpan(Duration.ofMillis(500), Duration.ofMillis(600));
    StageWindow moved =
        new StageWindow(
            two.started(),
            two.completed(),
            two.capCut(),
            two.deadlineCut(),
            two.lost(),
            0,
            Map.of(),
            span);

    CellLaw without = evidence(budget, moved).laws().get("search");
    CellLaw with =
        evidence(
                budget,
                late(moved, histogram(spread(90, 0.7, 0.8)), histogram(spread(10, 3.1, 3.2))))
            .laws()
            .get("search");

    for (int point = 0; point <= GRID.last(); point++) {
      assertThat(with.mass(point)).isEqualTo(without.mass(point));
    }
  }

  /**
   * The law that a table finds of calls cut at the cap, with a hundredth of them sampled or not.
   */
  private static CellLaw law(Laws truth, double cap, long seed, boolean sampling) {
    Random random = new Random(seed);
    List<Double> done = new ArrayList<>();
    List<Double> late = new ArrayList<>();
    List<Double> running = new ArrayList<>();
    double cut = 0;
    double share = SAMPLED / (0.1 * CALLS);
    for (int i = 0; i < CALLS; i++) {
      double seconds = truth.draw(random);
      boolean sampled = random.nextDouble() < share;
      if (seconds <= cap) {
        done.add(seconds);
      } else {
        cut++;
        if (sampled) {
          double total = GRID.limit(GRID.last());
          (seconds <= total ? late : running).add(Math.min(seconds, total + 0.01));
        }
      }
    }
    HazardTable table = new HazardTable(GRID);
    double[] cuts = new double[(int) cut];
    Arrays.fill(cuts, cap);
    table.add(of(done), histogram(cuts), LatencyHistogram.zero(LAYOUT), cap);
    if (sampling) {
      table.addLate(of(late), of(running), cap);
    }
    return Objects.requireNonNull(table.law());
  }

  private static Evidence evidence(JourneyBudget budget, StageWindow search) {
    StageWindow generate =
        new StageWindow(
            1000,
            histogram(lognormal(1000, 0.8, 0.3)),
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            0,
            Map.of(),
            null);
    RebalanceInput input =
        input(
            budget, policy(), reading(slice(NOW, Map.of("search", search, "generate", generate))));
    JourneyWindow window =
        new JourneyWindow(List.of(slice(NOW, Map.of("search", search, "generate", generate))));
    return Evidence.of(budget, Slices.of(input, window), GRID).orElseThrow();
  }

  private static StageWindow late(
      StageWindow window, LatencyHistogram completed, LatencyHistogram stillRunning) {
    return new StageWindow(
        window.started(),
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        window.errors(),
        window.skipped(),
        window.fallbackCompleted(),
        window.fallbackCut(),
        new StageWindow.Late(completed, stillRunning),
        window.caps());
  }

  private static double[] spread(int count, double from, double to) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = from + (to - from) * i / count;
    }
    return values;
  }

  private static LatencyHistogram of(List<Double> seconds) {
    return histogram(seconds.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Linear between the points. */
  private static double longerThan(CellLaw law, double seconds) {
    double at = seconds / GRID.step() - 0.5;
    int point = (int) Math.floor(at);
    return law.longer(point) + (law.longer(point + 1) - law.longer(point)) * (at - point);
  }

  private static double edge(CellLaw law, int edge) {
    double longer = 1;
    double next = 1;
    for (int k = 0; k < edge; k++) {
      double after = (k == 0 ? longer : next) - 2 * law.mass(k);
      next = longer;
      longer = after;
    }
    return longer;
  }

  private static LatencyHistogram counts(double... counts) {
    List<Double> edges = new ArrayList<>();
    for (int j = 1; j <= 20; j++) {
      edges.add(j * 0.1);
    }
    return counts(edges, counts);
  }

  private static LatencyHistogram counts(List<Double> edges, double... counts) {
    List<Double> all = new ArrayList<>(Collections.nCopies(edges.size() + 1, 0.0));
    for (int i = 0; i < counts.length; i++) {
      all.set(i, counts[i]);
    }
    return new LatencyHistogram(edges, all);
  }
}
