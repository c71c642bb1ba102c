package dev.ragjourney.pipeline;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one stage adds to the journey.
 *
 * @param addTo the addition
 * @param degradedReason why it is less than it should be; null if it is whole
 */
record Gain(UnaryOperator<Gathered> addTo, @Nullable String degradedReason) {
  static Gain whole(UnaryOperator<Gathered> addTo) {
    return new Gain(addTo, null);
  }
}
