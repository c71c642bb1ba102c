package dev.ragjourney.simulate;

import java.util.SplittableRandom;

/** Recorded latencies of many journeys: one vector for each, and draws for what is called twice. */
final class Vectors implements Latencies {
  private final long[][] byLaw;
  private final Latency[] laws;
  private final long seed;
  private final int journeys;
  private int journey;

  /**
   * @param byLaw nanoseconds by law and journey
   * @param laws for further calls under the same law, which are drawn independently
   */
  Vectors(long[][] byLaw, Latency[] laws, long seed, int journeys) {
    this.byLaw = byLaw;
    this.laws = laws;
    this.seed = seed;
    this.journeys = journeys;
  }

  int journeys() {
    return journeys;
  }

  long seed() {
    return seed;
  }

  Vectors at(int index) {
    journey = index;
    return this;
  }

  @Override
  public long nanos(int law, int ordinal) {
    return nanos(journey, law, ordinal);
  }

  /** Of one journey, however many run at the same time. */
  long nanos(int of, int law, int ordinal) {
    if (ordinal == 0) {
      return byLaw[law][of];
    }
    SplittableRandom random =
        new SplittableRandom(((seed * 31 + of) * 1_000_003 + law) * 1_000_003 + ordinal);
    double score = Normal.quantile(random.nextDouble(1e-12, 1));
    return laws[law].draw(score, random.nextDouble());
  }
}
