package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.LAYOUT;
import static dev.ragjourney.rebalance.Journeys.histogram;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifeTableTest {
  private static final List<Double> COARSE = List.of(0.1, 0.2, 0.4, 0.8);

  @Test
  void inside_a_bucket_the_law_is_interpolated_on_the_log_scale() {
    LifeTable law = LifeTable.of(coarse(10, 10, 80, 0, 0));

    // 20 % lie below 200 ms, 80 % between 200 and 400 ms: the median is at 30/80 of the doubling.
    assertThat(law.quantile(0.5).orElseThrow()).isCloseTo(0.2 * Math.pow(2, 0.375), within(1e-9));
  }

  @Test
  void in_the_first_bucket_the_law_is_linear_as_zero_has_no_logarithm() {
    assertThat(LifeTable.of(coarse(10, 0, 0, 0, 0)).quantile(0.5).orElseThrow())
        .isCloseTo(0.05, within(1e-9));
  }

  @Test
  void the_bucket_that_holds_the_cap_ends_at_the_cap() {
    // Cap 300 ms: of 100 calls 50 took up to 200 ms, 48 up to 300 ms, 2 were cut.
    LifeTable law =
        LifeTable.of(coarse(0, 50, 48, 0, 0), coarse(0, 0, 2, 0, 0), coarse(0, 0, 0, 0, 0), 0.3);

    assertThat(law.longerThan(0.3)).isCloseTo(0.02, within(1e-9));
    assertThat(law.quantile(0.95).orElseThrow())
        .isCloseTo(0.2 * Math.pow(1.5, 45.0 / 48), within(1e-9));
  }

  @Test
  void a_cut_booked_just_above_the_caps_bucket_still_counts_as_longer_than_the_cap() {
    // The cap of 395 ms is overrun by 6 ms, and the cut lies in the bucket above 400 ms.
    LifeTable law =
        LifeTable.of(coarse(0, 50, 40, 0, 0), coarse(0, 0, 0, 10, 0), coarse(0, 0, 0, 0, 0), 0.395);

    assertThat(law.longerThan(0.395)).isCloseTo(0.1, within(1e-9));
    assertThat(law.quantile(0.95)).isEmpty();
  }

  @Test
  void when_primaries_go_on_past_the_cap_its_bucket_is_not_cut() {
    LifeTable law =
        LifeTable.of(coarse(0, 50, 30, 20, 0), coarse(0, 0, 0, 0, 0), coarse(0, 0, 0, 0, 0), 0.3);

    assertThat(law.quantile(0.8).orElseThrow()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void a_share_of_calls_that_were_cut_hides_the_quantiles_above_it() {
    LifeTable law =
        LifeTable.of(coarse(0, 50, 40, 0, 0), coarse(0, 0, 10, 0, 0), coarse(0, 0, 0, 0, 0), 0.3);

    assertThat(law.quantile(0.9)).isPresent();
    assertThat(law.quantile(0.95)).isEmpty();
    assertThat(law.knownUpTo()).isEqualTo(0.3);
  }

  @Test
  void a_call_cut_by_the_deadline_is_at_risk_for_half_of_its_bucket() {
    // 100 at risk; 20 cut and 45 done below 100 ms: hazard 45 / (100 − 10) = ½.
    // 35 at risk; 35 done below 200 ms: nothing is longer.
    LifeTable law =
        LifeTable.of(coarse(45, 35, 0, 0, 0), coarse(0, 0, 0, 0, 0), coarse(20, 0, 0, 0, 0), null);

    assertThat(law.longerThan(0.1)).isCloseTo(0.5, within(1e-9));
    assertThat(law.longerThan(0.2)).isZero();
  }

  @Test
  void without_calls_nothing_is_known() {
    LifeTable law = LifeTable.of(coarse(0, 0, 0, 0, 0));

    assertThat(law.quantile(0.5)).isEmpty();
    assertThat(law.knownUpTo()).isZero();
    assertThat(law.longerThan(1)).isEqualTo(1);
  }

  @Test
  void calls_above_the_last_boundary_are_only_known_to_be_longer_than_it() {
    LifeTable law = LifeTable.of(coarse(0, 0, 0, 80, 20));

    assertThat(law.quantile(0.8)).isPresent();
    assertThat(law.quantile(0.95)).isEmpty();
    assertThat(law.knownUpTo()).isEqualTo(0.8);
  }

  @Test
  void a_handful_of_calls_left_at_risk_after_cuts_tells_nothing() {
    // Of 1000 calls 990 were cut below 100 ms; four of the other ten took up to 200 ms.
    LifeTable law =
        LifeTable.of(coarse(6, 4, 0, 0, 0), coarse(0, 0, 0, 0, 0), coarse(990, 0, 0, 0, 0), null);

    assertThat(law.knownUpTo()).isEqualTo(0.1);
  }

  @ParameterizedTest(name = "median {0} s, spread {1}: quantiles within {2} %")
  @CsvSource({"0.02,0.3,6", "0.1,0.5,3", "0.3,0.8,3", "0.9,0.4,3"})
  void buckets_keep_the_quantiles(double median, double sigma, double percent) {
    LifeTable law = LifeTable.of(histogram(lognormal(10_000, median, sigma)));

    for (double share : new double[] {0.1, 0.5, 0.9, 0.95}) {
      double truth = median * Math.exp(sigma * Normal.quantile(share));
      assertThat(law.quantile(share).orElseThrow()).isCloseTo(truth, within(truth * percent / 100));
    }
  }

  @ParameterizedTest(
      name = "deadlines with median {0} s cut {1} % or more of the calls: p95 within {2} %")
  @CsvSource({"1.0,5,4", "0.5,20,4", "0.35,40,11"})
  void the_law_behind_deadline_cuts_is_found_again(
      double deadlineMedian, double leastCut, double percent) {
    Random random = new Random(7);
    int calls = 20_000;
    Cut cut = new Cut();
    for (int i = 0; i < calls; i++) {
      double latency = 0.3 * Math.exp(0.5 * random.nextGaussian());
      double deadline = deadlineMedian * Math.exp(0.6 * random.nextGaussian());
      cut.add(latency, deadline);
    }
    LifeTable law = cut.law(null);
    LifeTable naive = LifeTable.of(histogram(cut.completedValues()));

    double truth = 0.3 * Math.exp(0.5 * 1.6449);
    assertThat(cut.share() * 100).isGreaterThan(leastCut);
    assertThat(law.quantile(0.95).orElseThrow()).isCloseTo(truth, within(truth * percent / 100));
    assertThat(Math.abs(naive.quantile(0.95).orElseThrow() - truth))
        .as("completed calls alone look faster than the stage is")
        .isGreaterThan(Math.abs(law.quantile(0.95).orElseThrow() - truth) * 1.5);
  }

  /** Calls, each with a deadline of its own. */
  private static final class Cut {
    private final List<Double> completed = new ArrayList<>();
    private final List<Double> cuts = new ArrayList<>();

    void add(double latency, double deadline) {
      (latency <= deadline ? completed : cuts).add(Math.min(latency, deadline));
    }

    double share() {
      return (double) cuts.size() / (cuts.size() + completed.size());
    }

    double[] completedValues() {
      return completed.stream().mapToDouble(Double::doubleValue).toArray();
    }

    LifeTable law(@Nullable Double cap) {
      double[] deadlines = cuts.stream().mapToDouble(Double::doubleValue).toArray();
      return LifeTable.of(
          histogram(completedValues()), LatencyHistogram.zero(LAYOUT), histogram(deadlines), cap);
    }
  }

  private static LatencyHistogram coarse(double... counts) {
    List<Double> list = new ArrayList<>();
    for (double count : counts) {
      list.add(count);
    }
    return new LatencyHistogram(COARSE, list);
  }
}
