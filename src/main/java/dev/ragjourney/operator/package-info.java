/**
 * Gather, decide, act: from a RagJourney to the objects that run it, and back to its status.
 *
 * <p>May import: {@code crd}, {@code rebalance}, {@code prometheus}, {@code plan}, {@code budget}.
 */
@NullMarked
package dev.ragjourney.operator;

import org.jspecify.annotations.NullMarked;
