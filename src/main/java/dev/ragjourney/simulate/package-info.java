/**
 * Journeys, their pods and their operator on a virtual clock: laws of latencies, pods that run on
 * the budget's own arithmetic, who moves the caps, and what that is worth. Pure.
 *
 * <p>May import: {@code budget}, {@code rebalance}.
 */
@NullMarked
package dev.ragjourney.simulate;

import org.jspecify.annotations.NullMarked;
