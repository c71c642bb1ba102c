package dev.ragjourney.simulate;

import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import java.util.List;
import java.util.SplittableRandom;

/** What the journeys of one pod share: how many calls of each stage may be helped. */
final class Helps {
  private final Allowed[] fallbacks;
  private final Allowed[] retries;
  private final Allowed[] hedges;
  private final SplittableRandom backoffs;

  Helps(JourneyBudget budget, long seed) {
    List<StageBudget> stages = budget.stages();
    fallbacks = new Allowed[stages.size()];
    retries = new Allowed[stages.size()];
    hedges = new Allowed[stages.size()];
    for (int s = 0; s < stages.size(); s++) {
      FallbackBudget fallback = stages.get(s).fallback();
      RetryBudget retry = stages.get(s).retry();
      HedgeBudget hedge = stages.get(s).hedge();
      fallbacks[s] = new Allowed(fallback == null ? 0 : fallback.maxRatio(), Integer.MAX_VALUE);
      retries[s] = new Allowed(retry == null ? 0 : retry.maxRatio(), Integer.MAX_VALUE);
      hedges[s] =
          hedge == null ? new Allowed(0, 0) : new Allowed(hedge.maxRatio(), hedge.maxConcurrent());
    }
    backoffs = new SplittableRandom(seed);
  }

  Allowed fallbacks(int stage) {
    return fallbacks[stage];
  }

  Allowed retries(int stage) {
    return retries[stage];
  }

  Allowed hedges(int stage) {
    return hedges[stage];
  }

  /** Places a backoff between its shortest and its longest. */
  double chance() {
    return backoffs.nextDouble();
  }
}
