package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.LAYOUT;
import static dev.ragjourney.rebalance.Journeys.TOTAL;
import static dev.ragjourney.rebalance.Journeys.histogram;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StageLawTest {
  private static final Grid GRID = Grid.of(TOTAL, 300);

  @Test
  void older_slices_fade_by_four_tenths_where_each_slice_tells_much() {
    HazardTable slice = slice(1000, 0.3);

    assertThat(StageLaw.of(GRID, List.of(slice, slice, slice)).calls())
        .isCloseTo(1000 * (1 + 0.6 + 0.36), within(1e-6));
  }

  @Test
  void older_slices_fade_slowly_where_each_slice_tells_little() {
    HazardTable slice = slice(100, 0.3);

    assertThat(StageLaw.of(GRID, List.of(slice, slice)).calls()).isCloseTo(185, within(1e-6));
  }

  @Test
  void what_was_measured_before_the_latencies_changed_is_left_out() {
    StageLaw law = StageLaw.of(GRID, List.of(slice(1000, 0.3), slice(1000, 0.3), slice(1000, 0.6)));

    assertThat(law.drifted()).isTrue();
    assertThat(law.calls()).isEqualTo(1000);
    assertThat(median(law)).isCloseTo(0.6, within(0.02));
  }

  @Test
  void chance_is_not_taken_for_a_change() {
    StageLaw law = StageLaw.of(GRID, List.of(slice(100, 0.27), slice(100, 0.3)));

    assertThat(law.drifted()).isFalse();
    assertThat(law.calls()).isCloseTo(185, within(1e-6));
  }

  @Test
  void slices_without_calls_neither_fade_the_others_nor_count_as_a_change() {
    HazardTable empty = new HazardTable(GRID);

    StageLaw law =
        StageLaw.of(GRID, List.of(slice(1000, 0.3), empty, empty, slice(1000, 0.3), empty));

    assertThat(law.drifted()).isFalse();
    assertThat(law.calls()).isCloseTo(1600, within(1e-6));
  }

  @Test
  void nothing_measured_gives_no_law() {
    assertThat(StageLaw.of(GRID, Collections.nCopies(6, new HazardTable(GRID))).law()).isNull();
  }

  private static double median(StageLaw law) {
    return GRID.seconds(Objects.requireNonNull(law.law()).quantile(0.5));
  }

  private static HazardTable slice(int calls, double median) {
    HazardTable table = new HazardTable(GRID);
    LatencyHistogram none = LatencyHistogram.zero(LAYOUT);
    table.add(histogram(lognormal(calls, median, 0.3)), none, none, null);
    return table;
  }
}
