package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a journey gave, and how good it is.
 *
 * @param content the text
 * @param outcome full, degraded, static, late or error
 * @param level index of the reported level: the worse of the one chosen and the first one whose
 *     skips and forms cover what really happened
 * @param levelName its name
 * @param skipped stages that did not give their result, each with the reason
 * @param wouldCut where the budget is only observed: what would have been cut, each with the reason
 * @param sources the passages the answer was given, best first
 * @param latencyNanos from arrival to the end of the answer
 * @param firstTokenNanos from arrival to the first content; null if none came
 * @param remainingNanos left of the budget at the counted moment; negative when it was missed
 * @param truncated reading stopped before the model's own end
 * @param cached from the semantic cache
 * @param noContext retrieval gave nothing
 * @param hint for a chat UI; null when the answer is full
 * @param problem what failed, with stage, cap and remaining; null if nothing did
 * @param completion how the model ended and what it used; null where no model wrote the answer to
 *     its own end
 */
public record Answer(
    String content,
    Outcome outcome,
    int level,
    String levelName,
    List<Skipped> skipped,
    List<Skipped> wouldCut,
    List<Passage> sources,
    long latencyNanos,
    @Nullable Long firstTokenNanos,
    long remainingNanos,
    boolean truncated,
    boolean cached,
    boolean noContext,
    @Nullable String hint,
    @Nullable Problem problem,
    @Nullable Completion completion) {
  public Answer {
    skipped = List.copyOf(skipped);
    wouldCut = List.copyOf(wouldCut);
    sources = List.copyOf(sources);
  }

  /** The mission's words; the label is the metrics' spelling. */
  public enum Outcome {
    FULL("full"),
    DEGRADED("degraded"),
    STATIC("static"),
    LATE("late"),
    ERROR("error");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /**
   * A stage that did not give its result.
   *
   * @param stage its name
   * @param reason {@code timeout}, {@code error}, {@code no_time}, {@code level}, {@code fallback}
   *     …
   */
  public record Skipped(String stage, String reason) {}

  /**
   * Why a required stage failed the journey.
   *
   * @param stage its name
   * @param message for the caller
   * @param capNanos the cap in force; null for none
   * @param remainingNanos of the journey when it failed
   */
  public record Problem(
      String stage, String message, @Nullable Long capNanos, long remainingNanos) {}

  public boolean degraded() {
    return outcome != Outcome.FULL;
  }

  public boolean overBudget() {
    return outcome == Outcome.STATIC || outcome == Outcome.LATE || outcome == Outcome.ERROR;
  }
}
