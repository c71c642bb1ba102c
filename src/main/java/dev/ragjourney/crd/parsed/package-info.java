/**
 * A spec in the domain's terms: every default resolved, every name known to exist.
 *
 * <p>May import: {@code budget}, {@code rebalance}.
 */
@NullMarked
package dev.ragjourney.crd.parsed;

import org.jspecify.annotations.NullMarked;
