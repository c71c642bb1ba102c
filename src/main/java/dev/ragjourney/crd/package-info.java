/**
 * The RagJourney resource as records, and the one mapping from its spec to the domain.
 *
 * <p>May import: {@code budget}, {@code rebalance}.
 */
@NullMarked
package dev.ragjourney.crd;

import org.jspecify.annotations.NullMarked;
