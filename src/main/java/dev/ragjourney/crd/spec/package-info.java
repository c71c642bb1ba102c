/**
 * What a user writes. Durations, shares and enums are strings, so that one odd value never makes a
 * whole list unreadable; lists and maps are as they were written, null where they were left out.
 *
 * <p>May import: {@code budget}, {@code rebalance}.
 */
@NullMarked
package dev.ragjourney.crd.spec;

import org.jspecify.annotations.NullMarked;
