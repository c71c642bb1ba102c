package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final List<Double> LAYOUT = List.of(0.1, 0.2, 0.4);

  @Test
  void absent_leading_buckets_are_put_back_as_empty() {
    LatencyHistogram sparse = new LatencyHistogram(List.of(0.4), List.of(3.0, 1.0));

    assertThat(sparse.on(LAYOUT))
        .contains(new LatencyHistogram(LAYOUT, List.of(0.0, 0.0, 3.0, 1.0)));
  }

  @Test
  void no_data_is_zero_on_any_layout() {
    assertThat(LatencyHistogram.EMPTY.on(LAYOUT).orElseThrow().total()).isZero();
  }

  @Test
  void another_boundary_is_another_layout() {
    assertThat(new LatencyHistogram(List.of(0.41), List.of(3.0, 1.0)).on(LAYOUT)).isEmpty();
  }

  @Test
  void a_missing_middle_boundary_is_another_layout() {
    assertThat(new LatencyHistogram(List.of(0.1, 0.4), List.of(1.0, 3.0, 1.0)).on(LAYOUT))
        .isEmpty();
  }

  @Test
  void a_boundary_more_than_the_layout_has_is_another_layout() {
    assertThat(
            new LatencyHistogram(List.of(0.05, 0.1, 0.2, 0.4), List.of(1.0, 1.0, 1.0, 1.0, 0.0))
                .on(LAYOUT))
        .isEmpty();
  }

  @Test
  void a_boundary_printed_with_fewer_digits_is_the_same() {
    assertThat(new LatencyHistogram(List.of(0.40000001), List.of(3.0, 1.0)).on(LAYOUT)).isPresent();
  }

  @Test
  void histograms_of_one_layout_add_up_bucket_by_bucket() {
    LatencyHistogram one = new LatencyHistogram(LAYOUT, List.of(1.0, 2.0, 3.0, 4.0));

    assertThat(one.plus(one).counts()).containsExactly(2.0, 4.0, 6.0, 8.0);
    assertThatThrownBy(() -> one.plus(LatencyHistogram.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void counts_that_do_not_fit_the_boundaries_are_refused() {
    assertThatThrownBy(() -> new LatencyHistogram(LAYOUT, List.of(1.0)))
        .hasMessage("3 boundaries do not fit 1 counts");
  }

  @Test
  void the_linear_median_lies_inside_its_bucket_by_the_share_of_its_counts() {
    LatencyHistogram counts = new LatencyHistogram(LAYOUT, List.of(2.0, 4.0, 4.0, 0.0));

    assertThat(counts.linearQuantile(0.5).orElseThrow()).isCloseTo(0.175, within(1e-12));
    assertThat(counts.linearQuantile(0.1).orElseThrow()).isCloseTo(0.05, within(1e-12));
  }

  @Test
  void a_linear_quantile_above_the_last_boundary_is_not_known() {
    LatencyHistogram counts = new LatencyHistogram(LAYOUT, List.of(1.0, 0.0, 0.0, 9.0));

    assertThat(counts.linearQuantile(0.5)).isEmpty();
    assertThat(LatencyHistogram.EMPTY.linearQuantile(0.5)).isEmpty();
  }
}
