/**
 * How what another operator brings - a default image, a pod template - reaches journeys whose spec
 * did not change: who takes it now and who waits. Pure functions over what is observed.
 */
@NullMarked
package dev.ragjourney.operator.rollout;

import org.jspecify.annotations.NullMarked;
