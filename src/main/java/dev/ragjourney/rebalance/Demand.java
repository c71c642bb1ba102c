package dev.ragjourney.rebalance;

import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a stage with a cap asks for.
 *
 * @param group stages of one group run side by side; null runs alone
 * @param optional may be shrunk when the caps do not fit
 * @param fixed neither gives nor receives
 * @param cap in force
 * @param need what the stage should have, within its range
 * @param min the lowest cap allowed
 * @param max the highest cap allowed
 * @param certain whether the need differs from the cap by more than the sampling error
 * @param why the figures behind the need
 */
record Demand(
    String stage,
    @Nullable String group,
    boolean optional,
    boolean fixed,
    Duration cap,
    Duration need,
    Duration min,
    Duration max,
    boolean certain,
    String why) {
  private static final double PERCENT = 100;

  /** A range's lower end where none is given: shorter caps only measure the machine's jitter. */
  private static final Duration LOWEST_CAP = Duration.ofMillis(10);

  /** In standard errors: a cap that is right is taken for wrong in about one of 80 judgements. */
  private static final double BAND = 2.5;

  /**
   * The plain rule's need: {@code p95 × (1 + headroom)} within the range. Where 5 % or more of the
   * calls were cut at the cap, the 95th percentile is unknown and the need is {@code cap × (1 +
   * headroom)}. Where cuts by the journey's time hide it, the cap stays.
   *
   * @param pool what all caps together may take
   */
  static Demand of(StageFacts facts, Duration cap, RebalancePolicy policy, Duration pool) {
    StageBudget stage = facts.stage();
    RebalancePolicy.CapRange range = policy.capRanges().get(stage.name());
    Duration min = range == null ? shorter(LOWEST_CAP, cap) : range.min();
    Duration max = range == null ? longer(pool, cap) : range.max();
    Duration p95 = facts.p95();
    double factor = 1 + policy.headroom();
    Duration need;
    boolean certain;
    String why;
    if (facts.setAside()) {
      need = cap;
      certain = false;
      why = "mostly skipped";
    } else if (facts.cutAtCap()) {
      need = times(cap, factor);
      certain = true;
      why =
          String.format(
              Locale.ROOT,
              "%.1f %% of the calls were cut at the cap",
              facts.judged().capCutRatio() * PERCENT);
    } else if (p95 != null) {
      need = times(p95, factor);
      certain = outsideSamplingError(facts.law(), cap, factor);
      why =
          String.format(
              Locale.ROOT,
              "p95 %s + %.0f %% = %s",
              Seconds.text(p95),
              policy.headroom() * PERCENT,
              Seconds.text(need));
    } else {
      need = cap;
      certain = false;
      why = "p95 hidden by cuts at the journey's time";
    }
    return new Demand(
        stage.name(),
        stage.group(),
        stage.optional(),
        facts.setAside(),
        cap,
        shorter(longer(need, min), max),
        min,
        max,
        certain,
        why);
  }

  /**
   * Whether the cap lies outside {@code factor × } the quantiles at 95 % ± 2.5 standard errors,
   * with standard error {@code √(0.05 × 0.95 / n)}. An unknown upper quantile leaves the upper side
   * open.
   */
  private static boolean outsideSamplingError(LifeTable law, Duration cap, double factor) {
    double error = BAND * Math.sqrt(0.95 * 0.05 / law.calls());
    double low = law.quantile(Math.max(0, 0.95 - error)).orElse(0) * factor;
    double high = law.quantile(Math.min(1, 0.95 + error)).orElse(Double.POSITIVE_INFINITY) * factor;
    double seconds = Seconds.of(cap);
    return seconds < low || seconds > high;
  }

  private static Duration times(Duration duration, double factor) {
    return Duration.ofNanos(Math.round(duration.toNanos() * factor));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
