package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One change, in the order of its resource version.
 *
 * @param before null when the object was created
 * @param after null when it was deleted
 * @param last the object as watchers see it
 */
record StoredEvent(
    long version,
    ObjectKey key,
    @Nullable ObjectNode before,
    @Nullable ObjectNode after,
    ObjectNode last) {}
