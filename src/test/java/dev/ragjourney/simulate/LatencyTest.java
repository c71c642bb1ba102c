package dev.ragjourney.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LatencyTest {
  private static final int DRAWS = 100_000;
  private static final Law LOGNORMAL = new Law.Lognormal(Duration.ofMillis(200), 0.5);
  private static final Law SLOW = new Law.Lognormal(Duration.ofMillis(1_400), 0.3);

  private static Law mixture(double weight, Law law, Law other) {
    return new Law.Mixture(List.of(new Law.Part(1 - weight, law), new Law.Part(weight, other)));
  }

  /** A law, a moment, and the share of the calls that have given an answer by then. */
  static Stream<Arguments> laws() {
    Law constant = new Law.Constant(Duration.ofMillis(50));
    return Stream.of(
        Arguments.of("half of a lognormal's calls are at its median", LOGNORMAL, 0.2, 0.5),
        Arguments.of("one sigma above it", LOGNORMAL, 0.2 * Math.exp(0.5), 0.8413),
        Arguments.of("a lognormal without width is a constant", sigma(0), 0.2, 1.0),
        Arguments.of("and not before it", sigma(0), 0.1999, 0.0),
        Arguments.of(
            "exponential", new Law.Exponential(Duration.ofMillis(80)), 0.08, 1 - Math.exp(-1)),
        Arguments.of("a constant is there at its time", constant, 0.05, 1.0),
        Arguments.of("a call that hangs never is", new Law.Hang(), 1e6, 0.0),
        Arguments.of(
            "a second mode", mixture(0.04, LOGNORMAL, SLOW), 0.9, 0.96 * 0.99869 + 0.04 * 0.0704),
        Arguments.of("a point within a law", mixture(0.3, LOGNORMAL, constant), 0.05, 0.30194),
        Arguments.of("some hang", mixture(0.06, LOGNORMAL, new Law.Hang()), 1e6, 0.94),
        Arguments.of("some fail", new Law.Failing(0.4, LOGNORMAL), 1e6, 0.6),
        Arguments.of(
            "one part fails", mixture(0.1, LOGNORMAL, new Law.Failing(1, SLOW)), 1e6, 0.9));
  }

  private static Law sigma(double sigma) {
    return new Law.Lognormal(Duration.ofMillis(200), sigma);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("laws")
  void draws_are_spread_as_the_law_says(String what, Law law, double seconds, double answered) {
    Latency latency = Latency.of(law);
    Scores scores = new Scores(1, DRAWS, 0);
    int there = 0;
    for (long drawn : scores.latencies("stage", law, true)) {
      there += drawn >= 0 && drawn <= seconds * 1e9 ? 1 : 0;
    }

    assertThat(1 - latency.withoutAnswerAfter(seconds)).isCloseTo(answered, within(2e-4));
    assertThat((double) there / DRAWS).isCloseTo(answered, within(1.5e-3));
  }

  @Test
  void of_calls_of_two_kinds_those_fail_that_are_of_the_failing_kind() {
    Latency latency = Latency.of(mixture(0.1, LOGNORMAL, new Law.Failing(1, SLOW)));

    assertThat(latency.draw(-3, 0.5)).isPositive();
    assertThat(latency.draw(2.5, 0.5)).isNegative();
    assertThat(~latency.draw(2.5, 0.5)).isGreaterThan(1_000_000_000L);
  }

  @Test
  void a_higher_score_is_never_faster() {
    Latency latency = Latency.of(mixture(0.04, mixture(0.5, LOGNORMAL, new Law.Hang()), SLOW));
    long before = 0;
    for (double score = -6; score < 6; score += 0.01) {
      long drawn = latency.draw(score, 0);
      assertThat(drawn).isGreaterThanOrEqualTo(before);
      before = drawn;
    }
  }

  @Test
  void correlated_stages_are_slow_together_by_a_gaussian_copula_and_fallbacks_are_not() {
    Scores scores = new Scores(1, DRAWS, 0.4);
    long[] one = scores.latencies("search", LOGNORMAL, true);
    long[] other = scores.latencies("rerank", new Law.Exponential(Duration.ofMillis(80)), true);
    long[] fallback = scores.latencies("search.fallback", LOGNORMAL, false);

    // P(both above their medians) = 1/4 + asin(ρ) / 2π.
    assertThat(bothSlow(one, other)).isCloseTo(0.25 + Math.asin(0.4) / (2 * Math.PI), within(4e-3));
    assertThat(bothSlow(one, fallback)).isCloseTo(0.25, within(4e-3));
  }

  private static double bothSlow(long[] one, long[] other) {
    long medianOne = java.util.Arrays.stream(one).sorted().skip(DRAWS / 2).findFirst().orElse(0);
    long medianOther =
        java.util.Arrays.stream(other).sorted().skip(DRAWS / 2).findFirst().orElse(0);
    int both = 0;
    for (int i = 0; i < DRAWS; i++) {
      both += one[i] > medianOne && other[i] > medianOther ? 1 : 0;
    }
    return (double) both / DRAWS;
  }
}
