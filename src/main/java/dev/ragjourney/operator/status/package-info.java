/**
 * What is told of a journey: its status, conditions and events, folded from one observation. Pure.
 *
 * <p>May import: {@code operator.observe}, {@code crd}, {@code rebalance}, {@code plan}, {@code
 * budget}.
 */
@NullMarked
package dev.ragjourney.operator.status;

import org.jspecify.annotations.NullMarked;
