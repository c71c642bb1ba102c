package dev.ragjourney.simulate;

import dev.ragjourney.simulate.Scenario.Epoch;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** The requests of each window, the same ones whoever moves the caps. */
final class Traffic {
  private final Scenario scenario;
  private final double[] before;

  Traffic(Scenario scenario, int mostLaws) {
    this.scenario = scenario;
    before = new double[mostLaws];
    SplittableRandom random = new SplittableRandom(scenario.seed() ^ 0x5DEECE66DL);
    Arrays.setAll(before, _ -> random.nextGaussian());
  }

  /**
   * To be asked for one window after the other.
   *
   * @param latencies by law
   */
  Vectors window(int window, LawKeys keys, Latency[] latencies) {
    Epoch epoch = scenario.epochs().get(scenario.epochOf(window));
    long seed = scenario.seed() * 1_000_003 + window;
    SplittableRandom random = new SplittableRandom(seed);
    int journeys = epoch.requests();
    long[][] byLaw = new long[keys.size()][journeys];
    double common = Math.sqrt(scenario.correlation());
    double alone = Math.sqrt(1 - scenario.correlation());
    double kept = scenario.autocorrelation();
    double fresh = Math.sqrt(1 - kept * kept);
    for (int i = 0; i < journeys; i++) {
      double together = random.nextGaussian();
      for (int law = 0; law < byLaw.length; law++) {
        double score = random.nextGaussian();
        double chance = random.nextDouble();
        if (keys.own(law)) {
          score = common * together + alone * score;
          score = kept * before[law] + fresh * score;
          before[law] = score;
        }
        byLaw[law][i] = latencies[law].draw(score, chance);
      }
    }
    return new Vectors(byLaw, latencies, seed, journeys);
  }

  /** When each request of a window arrives, from its begin: at random moments, in bursts. */
  static long[] arrivals(int journeys, long windowNanos, int burst, long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x2545F491L);
    long[] moments = new long[(journeys + burst - 1) / burst];
    Arrays.setAll(moments, _ -> random.nextLong(windowNanos));
    Arrays.sort(moments);
    long[] arrivals = new long[journeys];
    Arrays.setAll(arrivals, i -> moments[i / burst]);
    return arrivals;
  }

  static Latency[] latencies(LawKeys keys, Epoch epoch) {
    List<String> names = keys.names();
    return names.stream()
        .map(name -> Latency.of(Objects.requireNonNull(epoch.laws().get(name), name)))
        .toArray(Latency[]::new);
  }
}
