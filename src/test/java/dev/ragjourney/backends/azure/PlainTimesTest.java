package dev.ragjourney.backends.azure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTimesTest {
  private final PlainTimes times = new PlainTimes();

  @Test
  void an_estimate_holds_until_the_first_query() {
    assertThat(times.medianNanos()).isEqualTo(PlainTimes.UNMEASURED_NANOS);

    times.took(7);

    assertThat(times.medianNanos()).isEqualTo(7);
  }

  @Test
  void one_slow_query_does_not_move_the_median() {
    for (long nanos : new long[] {30, 1000, 10, 20, 20}) {
      times.took(nanos);
    }

    assertThat(times.medianNanos()).isEqualTo(20);
  }

  @Test
  void what_is_long_ago_is_forgotten() {
    for (int i = 0; i < 100; i++) {
      times.took(1000);
    }
    for (int i = 0; i < 20; i++) {
      times.took(10);
    }

    assertThat(times.medianNanos()).isEqualTo(10);
  }
}
