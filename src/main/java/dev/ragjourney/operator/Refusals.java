package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.Refusal;
import dev.ragjourney.rebalance.JourneyId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the API server refused last, a journey; forgotten with the spec that led to it. */
final class Refusals {
  private final Map<JourneyId, Refusal> refusals = new ConcurrentHashMap<>();

  @Nullable Refusal of(JourneyId id, long generation) {
    Refusal refusal = refusals.get(id);
    return refusal != null && refusal.generation() == generation ? refusal : null;
  }

  void put(JourneyId id, Refusal refusal) {
    refusals.put(id, refusal);
  }

  void clear(JourneyId id) {
    refusals.remove(id);
  }
}
