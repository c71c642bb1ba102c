/**
 * How a new default image reaches the journeys that name none: who takes it now and who waits. Pure
 * functions over what is observed.
 */
@NullMarked
package dev.ragjourney.operator.rollout;

import org.jspecify.annotations.NullMarked;
