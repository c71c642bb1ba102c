package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageType;
import org.jspecify.annotations.Nullable;

/** What a stage before generate gave. */
sealed interface StageResult {
  /**
   * @param gain the stage's addition
   * @param fallback the form that gave it in the primary's place; null for the primary
   * @param degradedReason why the result is less than it should be; null if it is whole
   */
  record Given(Gain gain, @Nullable StageForm fallback, @Nullable String degradedReason)
      implements StageResult {
    static Given primary(Gain gain) {
      return new Given(gain, null, gain.degradedReason());
    }

    static Given fallback(Gain gain, @Nullable StageForm form, StageType type) {
      return new Given(gain, form, type == StageType.SEARCH ? "fallback_query" : "fallback");
    }

    static Given speculative(Gain gain, StageForm form) {
      return new Given(gain, form, "speculative");
    }
  }

  /**
   * @param reason {@code timeout}, {@code error}, {@code no_time}, or {@code cancelled} where
   *     another stage failed the journey
   * @param message for the caller
   */
  record Missing(String reason, String message) implements StageResult {}
}
