package dev.ragjourney.simulate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A journey and what happens to it.
 *
 * @param seed of everything that is drawn
 * @param windows how many intervals of the journey's policy
 * @param correlation of stages' own latencies within a journey (Gaussian copula), 0 to 1
 * @param autocorrelation of a stage's latencies from one journey to the next, 0 to 1
 * @param late intervals by which metrics lag
 * @param epochs in order, the first one from window 0
 * @param counterResets windows whose counters go backwards
 * @param load null where every call is served at once
 * @param rollout null where all pods have new settings at once
 */
public record Scenario(
    long seed,
    int windows,
    double correlation,
    double autocorrelation,
    int late,
    List<Epoch> epochs,
    Set<Integer> counterResets,
    @Nullable Load load,
    @Nullable Rollout rollout) {
  public Scenario {
    epochs = List.copyOf(epochs);
    counterResets = Set.copyOf(counterResets);
    if (epochs.isEmpty() || epochs.getFirst().from() != 0) {
      throw new IllegalArgumentException("The first epoch begins at window 0.");
    }
  }

  /** Latencies depend on what happened before: what comes of it is not a matter of laws alone. */
  public boolean hasMemory() {
    return load != null || autocorrelation > 0;
  }

  int epochOf(int window) {
    int found = 0;
    for (int e = 0; e < epochs.size(); e++) {
      if (epochs.get(e).from() <= window) {
        found = e;
      }
    }
    return found;
  }

  /**
   * From a window on.
   *
   * @param journey as it is declared
   * @param requests in each window
   * @param laws of every stage's calls, of every fallback's, and of lower levels' forms that have
   *     one of their own
   */
  public record Epoch(int from, SimulatedJourney journey, int requests, Map<String, Law> laws) {
    public Epoch {
      laws = Map.copyOf(laws);
      for (String needed : LawKeys.of(journey, laws.keySet()).names()) {
        if (!laws.containsKey(needed)) {
          throw new IllegalArgumentException("There is no law for " + needed + ".");
        }
      }
    }
  }

  /**
   * Calls wait for a server where all are busy.
   *
   * @param servers by law; those that are absent are enough for everybody
   * @param burst requests that arrive at the same moment, at least 1
   */
  public record Load(Map<String, Integer> servers, int burst) {
    public Load {
      servers = Map.copyOf(servers);
    }
  }

  /**
   * Some pods get new settings later.
   *
   * @param share of the requests that they get, 0 to 1
   * @param windows so many later
   */
  public record Rollout(double share, int windows) {}
}
