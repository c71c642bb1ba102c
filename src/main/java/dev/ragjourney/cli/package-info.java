/**
 * The commands for people: check, explain, what-if, replay, simulate.
 *
 * <p>May import: {@code crd}, {@code simulate}, {@code rebalance}, {@code prometheus}, {@code
 * plan}, {@code budget}.
 */
@NullMarked
package dev.ragjourney.cli;

import org.jspecify.annotations.NullMarked;
