package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many of the calls that are cut go on. */
class LateSamplingShareTest {
  @ParameterizedTest(name = "{0} of the calls overrun")
  @CsvSource({"0.1,0.01", "0.5,0.01", "0.01,0.01", "0.004,0.004"})
  void about_the_share_of_the_started_calls_goes_on_or_all_that_overrun(
      double overrunShare, double expected) {
    LateSampling sampling = LateSampling.of(0.01, null);
    Random random = new Random(5);
    int calls = 200_000;
    int taken = 0;
    for (int i = 0; i < calls; i++) {
      sampling.started();
      if (random.nextDouble() < overrunShare) {
        sampling.overran();
        if (sampling.enter(random.nextDouble())) {
          taken++;
          sampling.leave();
        }
      }
    }
    assertThat((double) taken / calls).isBetween(expected * 0.8, expected * 1.2);
  }

  @Test
  void which_call_goes_on_follows_a_stage_that_has_become_slow() {
    LateSampling sampling = LateSampling.of(0.01, null);
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      sampling.started();
    }
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      sampling.started();
      sampling.overran();
      if (sampling.enter(random.nextDouble())) {
        taken++;
        sampling.leave();
      }
    }
    assertThat(taken).as("a hundred, and a few more while it was new").isBetween(60, 200);
  }
}
