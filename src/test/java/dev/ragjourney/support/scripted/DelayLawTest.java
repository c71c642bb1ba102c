package dev.ragjourney.support.scripted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelayLawTest {
  private static final int DRAWS = 200_000;

  @Test
  void a_lognormal_law_has_its_median_and_its_p95() {
    long[] drawn = drawn(DelayLaw.lognormal(80, 0.5), 1);

    assertThat(millis(drawn, 0.5)).isCloseTo(80, within(1.0));
    assertThat(millis(drawn, 0.95)).isCloseTo(80 * Math.exp(1.645 * 0.5), within(4.0));
  }

  @Test
  void a_share_of_the_draws_comes_from_the_second_mode() {
    long[] drawn = drawn(DelayLaw.fixed(10).withSecondMode(0.05, 1000, 0), 1);

    assertThat(Arrays.stream(drawn).filter(each -> each > 500_000_000L).count() / (double) DRAWS)
        .isCloseTo(0.05, within(0.003));
    assertThat(millis(drawn, 0.5)).isEqualTo(10);
  }

  @Test
  void the_same_seed_gives_the_same_delays() {
    DelayLaw law = DelayLaw.lognormal(80, 0.5);

    assertThat(drawn(law, 7)).isEqualTo(drawn(law, 7)).isNotEqualTo(drawn(law, 8));
  }

  @Test
  void a_negative_median_is_refused_with_its_name_and_value() {
    assertThatThrownBy(() -> DelayLaw.fixed(-1)).hasMessage("medianMs is -1.0, must be 0 or more");
  }

  private static long[] drawn(DelayLaw law, long seed) {
    Random random = new Random(seed);
    long[] drawn = new long[DRAWS];
    Arrays.setAll(drawn, i -> law.drawNanos(random));
    return drawn;
  }

  private static double millis(long[] nanos, double quantile) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[(int) (quantile * sorted.length)] / 1e6;
  }
}
