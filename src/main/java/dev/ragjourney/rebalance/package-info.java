/**
 * Latency distributions, the rules that move caps, their guards, and decisions with a reason. Pure.
 *
 * <p>May import: {@code budget}.
 */
@NullMarked
package dev.ragjourney.rebalance;

import org.jspecify.annotations.NullMarked;
