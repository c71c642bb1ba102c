package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageType;
import org.jspecify.annotations.Nullable;

/** What a stage before generate gave. */
sealed interface StageResult {
  /**
   * @param gain the stage's addition
   * @param fallback the form that gave it in the primary's place; null for the primary
   */
  record Given(Gain gain, @Nullable StageForm fallback) implements StageResult {
    /** Why the result is less than it should be; null if it is whole. */
    @Nullable String degradedReason(StageType type) {
      if (fallback == null) {
        return gain.degradedReason();
      }
      return type == StageType.SEARCH ? "fallback_query" : "fallback";
    }
  }

  /**
   * @param reason {@code timeout}, {@code error}, {@code no_time}, or {@code cancelled} where
   *     another stage failed the journey
   * @param message for the caller
   */
  record Missing(String reason, String message) implements StageResult {}
}
