/**
 * What one reconcile sees: records that hold every read, so that decisions are pure functions.
 *
 * <p>May import: {@code crd}, {@code rebalance}, {@code plan}, {@code budget}.
 */
@NullMarked
package dev.ragjourney.operator.observe;

import org.jspecify.annotations.NullMarked;
