/**
 * What should be there for a journey: its plan and its Kubernetes objects. Pure.
 *
 * <p>May import: {@code operator.observe}, {@code crd}, {@code rebalance}, {@code plan}, {@code
 * budget}.
 */
@NullMarked
package dev.ragjourney.operator.desired;

import org.jspecify.annotations.NullMarked;
