package dev.ragjourney.operator.observe;

import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.rebalance.JourneyId;
import org.jspecify.annotations.Nullable;

/**
 * A resource as one reconcile sees it.
 *
 * @param uid of the object, for owner references
 * @param generation of the spec
 * @param paused caps are to stay for now
 * @param reading what the spec says
 * @param lastStatus the status that is there; null for none, or for one that cannot be read
 */
public record Journey(
    JourneyId id,
    String uid,
    long generation,
    boolean paused,
    Reading reading,
    @Nullable RagJourneyStatus lastStatus) {}
