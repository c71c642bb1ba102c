package dev.ragjourney.pipeline;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How fast one form of the generate stage has been writing lately: what turns time into tokens.
 *
 * <p>max_tokens = (allowance − first token p95) × tokens per second p10, over the last {@value
 * #SAMPLES} generations. A model whose limit fits its time ends with a whole sentence instead of
 * being cut.
 */
final class GenerationPace {
  static final int SAMPLES = 200;

  /** With fewer a tail says nothing. */
  static final int LEAST_SAMPLES = 20;

  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] firstTokenNanos = new long[SAMPLES];
  private final double[] tokensPerSecond = new double[SAMPLES];
  private long firstTokens;
  private long rates;

  /**
   * @param nanos from the call's start to its first content, or to its end where none came
   */
  synchronized void firstToken(long nanos) {
    firstTokenNanos[(int) (firstTokens++ % SAMPLES)] = nanos;
  }

  /**
   * @param tokens that came
   * @param nanos from the first content to the last
   */
  synchronized void wrote(int tokens, long nanos) {
    // A text that came in one piece says nothing about pace.
    if (tokens > 1 && nanos > 0) {
      tokensPerSecond[(int) (rates++ % SAMPLES)] = (tokens - 1) * NANOS_PER_SECOND / nanos;
    }
  }

  /**
   * The limit to send.
   *
   * @param declared the form's own limit; null for none
   * @param allowanceNanos the time of this call
   * @return the declared one while too little is measured; never fewer than an answer needs
   */
  @Nullable Integer maxTokens(@Nullable Integer declared, long allowanceNanos) {
    double fitting = fitting(allowanceNanos);
    if (Double.isNaN(fitting) || (declared != null && fitting >= declared)) {
      return declared;
    }
    int tokens = (int) Math.max(AnswerText.LEAST_TOKENS, Math.min(fitting, Integer.MAX_VALUE));
    return declared == null ? tokens : Integer.valueOf(Math.min(tokens, declared));
  }

  /** NaN while too little is measured. */
  private synchronized double fitting(long allowanceNanos) {
    if (firstTokens < LEAST_SAMPLES || rates < LEAST_SAMPLES) {
      return Double.NaN;
    }
    long[] waits = Arrays.copyOf(firstTokenNanos, (int) Math.min(firstTokens, SAMPLES));
    double[] paces = Arrays.copyOf(tokensPerSecond, (int) Math.min(rates, SAMPLES));
    Arrays.sort(waits);
    Arrays.sort(paces);
    long p95 = waits[rank(0.95, waits.length)];
    return (allowanceNanos - p95) / NANOS_PER_SECOND * paces[rank(0.1, paces.length)];
  }

  /** Nearest rank: the smallest value with at least this share of the samples at or below it. */
  private static int rank(double share, int samples) {
    return Math.max(0, (int) Math.ceil(share * samples) - 1);
  }
}
