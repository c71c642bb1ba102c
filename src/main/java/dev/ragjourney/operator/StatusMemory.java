package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The status that was written last, until the watch has caught up with it: else a reconcile in
 * between would fold from an older one and tell everything again.
 */
final class StatusMemory {
  private final Map<JourneyId, RawJourney> written = new ConcurrentHashMap<>();

  void wrote(JourneyId id, RawJourney result) {
    written.put(id, result);
  }

  /** A watch tells of a resource: nothing is kept that it knows. */
  void told(RawJourney watched) {
    newest(watched.id(), watched);
  }

  /** The resource with the newest status known. */
  RawJourney newest(JourneyId id, RawJourney watched) {
    RawJourney own = written.get(id);
    if (own == null) {
      return watched;
    }
    if (ResourceVersions.caughtUp(watched, own)) {
      written.remove(id, own);
      return watched;
    }
    RawJourney newest = new RawJourney();
    newest.setMetadata(watched.getMetadata());
    newest.setSpec(watched.getSpec());
    newest.setStatus(own.getStatus());
    return newest;
  }

  void forget(JourneyId id) {
    written.remove(id);
  }
}
