package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells of 100 ms, one bucket each, unless a test says otherwise. */
class HazardTableTest {
  private static final Grid GRID = new Grid(19, 0.1);
  private static final List<Double> BUCKETS = buckets(20);

  @Test
  void without_cuts_the_law_is_the_histogram() {
    HazardTable table = table(counts(0, 100, 500, 300, 100), counts(), counts(), null);

    // Edges at 0.2, 0.3 and 0.4 s; a point stands for the half of each cell beside it.
    CellLaw law = law(table);
    assertThat(edge(law, 2)).isCloseTo(0.9, within(1e-9));
    assertThat(edge(law, 3)).isCloseTo(0.4, within(1e-9));
    assertThat(edge(law, 4)).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void at_the_cap_the_share_of_longer_calls_is_exactly_the_share_that_was_cut() {
    HazardTable table = table(counts(0, 300, 500, 100), counts(0, 0, 0, 100), counts(), 0.4);

    assertThat(edge(law(table), 4)).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void a_cap_inside_a_bucket_ends_the_bucket_there() {
    // Cap 350 ms in a bucket from 200 to 400 ms: all 400 of its calls end before the cap.
    List<Double> wide = List.of(0.2, 0.4, 0.8);
    HazardTable table = new HazardTable(new Grid(39, 0.05));
    table.add(histogram(wide, 500, 400, 0, 0), histogram(wide, 0, 100, 0, 0), zero(wide), 0.35);

    assertThat(edge(law(table), 7)).isCloseTo(0.1, within(1e-9));
    double index = -Math.log(1 - 400 / 500.5) / Math.log(0.35 / 0.2);
    double sooner = (1 - Math.pow(0.25 / 0.2, -index)) / (1 - Math.pow(0.35 / 0.2, -index));
    assertThat(edge(law(table), 5)).isCloseTo(0.5 - 0.4 * sooner, within(1e-9));
  }

  @Test
  void a_call_cut_by_the_deadline_or_left_behind_is_at_risk_for_half_of_its_cell() {
    // 1000 at risk, 200 cut and 450 done: hazard 450 / 900 = ½. 350 left, 175 done: ½ again.
    HazardTable table = table(counts(450, 175, 175), counts(), counts(200), null);

    assertThat(edge(law(table), 1)).isCloseTo(0.5, within(1e-9));
    assertThat(edge(law(table), 2)).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void a_bucket_in_which_many_calls_were_cut_tells_nothing_and_the_tail_comes_from_before_it() {
    // 1000 calls: 200 and 160 done in two cells, then 300 of 640 cut somewhere in a bucket.
    List<Double> buckets = List.of(0.1, 0.2, 0.6);
    HazardTable table = new HazardTable(GRID);
    table.addCutAlike(histogram(buckets, 200, 160, 340), histogram(buckets, 0, 0, 300), null);

    CellLaw law = law(table);
    assertThat(table.known()).isEqualTo(2);
    assertThat(edge(law, 2)).isCloseTo(0.64, within(1e-9));
    double index = 160 / (800 / 1.5);
    assertThat(edge(law, 3)).isCloseTo(0.64 * (1 - index / 2.5), within(1e-9));
  }

  @Test
  void a_few_calls_cut_in_a_bucket_are_at_risk_to_its_end() {
    List<Double> wide = List.of(0.2, 0.4);
    HazardTable table = new HazardTable(GRID);
    table.addCutAlike(histogram(wide, 200, 700, 0), histogram(wide, 0, 100, 0), null);

    assertThat(edge(law(table), 2)).isCloseTo(0.8, within(1e-9));
    assertThat(edge(law(table), 4)).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void a_fallback_whose_time_is_known_is_known_up_to_its_end_and_its_tail_comes_from_there() {
    // 1000 calls: 200 done by 0.2 s, 200 more by 0.4 s, where all that were not done were cut.
    List<Double> wide = List.of(0.2, 0.6);
    HazardTable table = new HazardTable(GRID);
    table.addCutAlike(histogram(wide, 200, 200, 0), histogram(wide, 0, 600, 0), 0.4);

    CellLaw law = law(table);
    assertThat(edge(law, 2)).isCloseTo(0.8, within(1e-9));
    assertThat(edge(law, 4)).isCloseTo(0.6, within(1e-9));
    assertThat(table.known()).isEqualTo(4);
  }

  @Test
  void a_time_that_many_calls_passed_was_not_theirs() {
    List<Double> wide = List.of(0.2, 0.6, 1.2);
    HazardTable table = new HazardTable(GRID);
    table.addCutAlike(histogram(wide, 200, 200, 100), histogram(wide, 0, 500, 0), 0.4);

    assertThat(table.known()).as("nothing beyond 0.2 s").isEqualTo(2);
  }

  @Test
  void a_fallback_left_behind_by_the_stages_own_call_is_at_risk_for_half_of_its_cell() {
    HazardTable table = new HazardTable(GRID);
    table.addCutAlike(counts(450, 175), counts(200, 175), 0.2);

    assertThat(edge(law(table), 1)).isCloseTo(0.5, within(1e-9));
    assertThat(edge(law(table), 2)).isCloseTo(0.25, within(1e-9));
  }

  @ParameterizedTest(name = "deviation {0}")
  @CsvSource({"0.3", "0.5", "0.8"})
  void between_two_boundaries_a_lognormal_law_is_found_again(double sigma) {
    Grid fine = Grid.of(Journeys.TOTAL, 300);
    HazardTable table = new HazardTable(fine);
    double[] sample = Journeys.lognormal(10_000, 0.5, sigma);
    LatencyHistogram none = LatencyHistogram.zero(Journeys.LAYOUT);
    table.add(Journeys.histogram(sample), none, none, null);
    CellLaw law = law(table);

    for (int point = 0; point <= fine.last(); point++) {
      double truth = 1 - Normal.distribution(Math.log(fine.limit(point) / 0.5) / sigma);
      assertThat(law.longer(point)).as("point %d", point).isCloseTo(truth, within(0.006));
    }
  }

  @ParameterizedTest(name = "lognormal {0}, cut at its quantile {1}")
  @CsvSource({"0.35,0.5", "0.35,0.65", "0.5,0.8", "0.8,0.5"})
  void a_tail_whose_index_rises_goes_on_rising_and_promises_no_more_than_the_truth(
      double sigma, double cutAt) {
    Grid fine = Grid.of(Journeys.TOTAL, 300);
    double median = 0.35;
    double end = median * Math.exp(sigma * Normal.quantile(cutAt));
    double[] sample = Journeys.lognormal(4_000, median, sigma);
    List<Double> done = new ArrayList<>();
    for (double value : sample) {
      if (value <= end) {
        done.add(value);
      }
    }
    HazardTable table = new HazardTable(fine);
    double[] cuts = new double[sample.length - done.size()];
    Arrays.fill(cuts, end);
    table.add(sample(done), Journeys.histogram(cuts), LatencyHistogram.zero(Journeys.LAYOUT), end);
    CellLaw law = law(table);

    int cell = fine.upTo(Seconds.toDuration(end));
    double flat = law.longer(cell);
    for (int point = cell + 1; point <= fine.last(); point++) {
      double truth = 1 - Normal.distribution(Math.log(fine.limit(point) / median) / sigma);
      assertThat(law.longer(point)).as("point %d", point).isGreaterThan(truth - 0.005);
      flat *= 1 - index(law, cell) / (point + 0.5);
    }
    assertThat(law.longer(fine.last())).isLessThan(0.7 * flat);
  }

  /** The hazard at a point times the point. */
  private static double index(CellLaw law, int point) {
    return law.mass(point) / law.longer(point - 1) * (point + 0.5);
  }

  @Test
  void windows_with_different_caps_add_up_cell_by_cell() {
    // Cap 100 ms: 1000 calls, half done. Cap 300 ms: 1000 calls, half done in every cell.
    HazardTable sum = new HazardTable(GRID);
    sum.add(table(counts(500), counts(500), counts(), 0.1), 1);
    sum.add(table(counts(500, 250, 125), counts(0, 0, 125), counts(), 0.3), 1);

    assertThat(edge(law(sum), 1)).isCloseTo(0.5, within(1e-9));
    assertThat(edge(law(sum), 3)).isCloseTo(0.125, within(1e-9));
    assertThat(sum.calls()).isEqualTo(2000);
  }

  @ParameterizedTest(name = "index {0}, cap after {1} cells")
  @CsvSource({"0.3,6", "0.45,10", "0.49,3"})
  void behind_a_cap_the_tail_of_a_pareto_law_is_found_exactly(double index, int cells) {
    double[] done = new double[cells];
    double left = 100_000;
    for (int j = 0; j < cells; j++) {
      done[j] = left * index / (j + 0.5);
      left -= done[j];
    }
    double[] cut = new double[cells];
    cut[cells - 1] = left;

    CellLaw law = law(table(counts(done), counts(cut), counts(), cells * 0.1));

    double expected = left / 100_000;
    for (int j = cells; j < 20; j++) {
      expected *= 1 - index / (j + 0.5);
      assertThat(edge(law, j + 1)).as("edge " + (j + 1)).isCloseTo(expected, within(1e-9));
    }
  }

  @Test
  void the_tail_is_learned_from_the_last_cells_with_twenty_completions() {
    // Cell 0 ends half of the calls; 10 of 500 in each of the two cells before the cap.
    CellLaw law = law(table(counts(500, 10, 10), counts(0, 0, 480), counts(), 0.3));

    double index = 20 / (500 / 1.5 + 490 / 2.5);
    assertThat(edge(law, 4) / edge(law, 3)).isCloseTo(1 - index / 3.5, within(1e-9));
  }

  @Test
  void a_cell_with_fewer_than_25_calls_at_risk_is_tail() {
    HazardTable table = table(counts(976, 24), counts(), counts(), null);

    assertThat(table.known()).isEqualTo(1);
    assertThat(edge(law(table), 2)).as("24 calls say nothing of the second cell").isPositive();
    assertThat(table(counts(975, 25), counts(), counts(), null).known()).isEqualTo(2);
  }

  @Test
  void a_stage_that_never_completes_has_no_end() {
    CellLaw law = law(table(counts(), counts(0, 0, 1000), counts(), 0.3));

    assertThat(law.longer(19)).isEqualTo(1);
  }

  @Test
  void too_few_calls_give_no_law() {
    assertThat(table(counts(0, 24), counts(), counts(), null).law()).isNull();
    assertThat(new HazardTable(GRID).law()).isNull();
  }

  @ParameterizedTest(name = "deadlines with median {0} s")
  @CsvSource({"1.0", "0.6", "0.4"})
  void the_law_behind_cuts_is_found_again(double deadlineMedian) {
    Grid grid = Grid.of(Journeys.TOTAL, 300);
    Random random = new Random(4);
    List<Double> done = new ArrayList<>();
    List<Double> cut = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      double latency = 0.3 * Math.exp(0.5 * random.nextGaussian());
      double deadline = deadlineMedian * Math.exp(0.5 * random.nextGaussian());
      (latency <= deadline ? done : cut).add(Math.min(latency, deadline));
    }
    HazardTable table = new HazardTable(grid);
    table.add(sample(done), LatencyHistogram.zero(Journeys.LAYOUT), sample(cut), null);
    CellLaw law = law(table);

    for (double share : new double[] {0.1, 0.5, 0.9, 0.95}) {
      double truth = 0.3 * Math.exp(0.5 * Normal.quantile(share));
      assertThat(grid.seconds(law.quantile(share)))
          .as("quantile " + share)
          .isCloseTo(truth, within(0.05 * truth + grid.step()));
    }
  }

  private static LatencyHistogram sample(List<Double> seconds) {
    return Journeys.histogram(seconds.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The share of longer calls at a cell's begin, from the law's points. */
  private static double edge(CellLaw law, int edge) {
    double longer = 1;
    double next = 1;
    for (int k = 0; k < edge; k++) {
      // mass(k) = (longer(k−1) − longer(k+1)) / 2, solved for longer(k+1).
      double after = (k == 0 ? longer : next) - 2 * law.mass(k);
      next = longer;
      longer = after;
    }
    return longer;
  }

  private static CellLaw law(HazardTable table) {
    return Objects.requireNonNull(table.law(), "no law");
  }

  private static HazardTable table(
      LatencyHistogram done, LatencyHistogram capCut, LatencyHistogram cut, @Nullable Double cap) {
    HazardTable table = new HazardTable(GRID);
    table.add(done, capCut, cut, cap);
    return table;
  }

  private static LatencyHistogram counts(double... counts) {
    return histogram(BUCKETS, counts);
  }

  private static LatencyHistogram zero(List<Double> buckets) {
    return LatencyHistogram.zero(buckets);
  }

  private static LatencyHistogram histogram(List<Double> buckets, double... counts) {
    List<Double> all = new ArrayList<>(Collections.nCopies(buckets.size() + 1, 0.0));
    for (int i = 0; i < counts.length; i++) {
      all.set(i, counts[i]);
    }
    return new LatencyHistogram(buckets, all);
  }

  private static List<Double> buckets(int cells) {
    List<Double> edges = new ArrayList<>();
    for (int j = 1; j <= cells; j++) {
      edges.add(j * 0.1);
    }
    return edges;
  }
}
