package dev.ragjourney.simulate;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The journeys that all settings are tried on: normal scores, spread evenly over the law of each
 * call and dealt at random. What differs between two settings is then not chance.
 */
final class Scores {
  private final long seed;
  private final double correlation;
  private final double[] together;
  private final Map<String, double[]> byLaw = new HashMap<>();
  private final Map<String, double[]> chances = new HashMap<>();

  private record Drawn(String name, Law law) {}

  private final Map<Drawn, long[]> latencies = new HashMap<>();

  Scores(long seed, int journeys, double correlation) {
    this.seed = seed;
    this.correlation = correlation;
    together = dealt(journeys, new SplittableRandom(seed));
  }

  int journeys() {
    return together.length;
  }

  /** Of the calls under one law. */
  long[] latencies(String name, Law law, boolean correlated) {
    return latencies.computeIfAbsent(new Drawn(name, law), _ -> draw(name, law, correlated));
  }

  private long[] draw(String name, Law law, boolean correlated) {
    double[] scores = byLaw.computeIfAbsent(name, n -> scores(n, correlated));
    double[] picked = chances.computeIfAbsent(name, n -> chances(n + " chance"));
    Latency latency = Latency.of(law);
    long[] nanos = new long[scores.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = latency.draw(scores[i], picked[i]);
    }
    return nanos;
  }

  private double[] scores(String name, boolean correlated) {
    double[] own = dealt(together.length, random(name));
    if (correlated && correlation > 0) {
      double common = Math.sqrt(correlation);
      double alone = Math.sqrt(1 - correlation);
      for (int i = 0; i < own.length; i++) {
        own[i] = common * together[i] + alone * own[i];
      }
    }
    return own;
  }

  private double[] chances(String name) {
    double[] shares = new double[together.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (i + 0.5) / shares.length;
    }
    shuffle(shares, random(name));
    return shares;
  }

  private SplittableRandom random(String name) {
    return new SplittableRandom(seed * 31 + name.hashCode());
  }

  private static double[] dealt(int journeys, SplittableRandom random) {
    double[] scores = new double[journeys];
    for (int i = 0; i < journeys; i++) {
      scores[i] = Normal.quantile((i + random.nextDouble(1e-9, 1)) / journeys);
    }
    shuffle(scores, random);
    return scores;
  }

  private static void shuffle(double[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      double swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
  }
}
