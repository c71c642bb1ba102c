/**
 * The vocabulary and arithmetic of a latency budget: pure functions over records, no clock, no
 * logger, no IO.
 *
 * <p>May import: the JDK only.
 */
@NullMarked
package dev.ragjourney.budget;

import org.jspecify.annotations.NullMarked;
