package dev.ragjourney.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why each cap of a journey is what it is, and what may come next. Durations as the resource spells
 * them, shares from 0 to 1; what is not known is null.
 *
 * @param rules what each rule would do next
 * @param advice what would go better left out
 * @param attention conditions that ask for something
 * @param notes what could not be read
 */
record Explanation(
    String namespace,
    String journey,
    Budget budget,
    Source figures,
    List<Stage> stages,
    @Nullable Answers answers,
    Decision decision,
    List<Rule> rules,
    @Nullable String advice,
    List<Decision> attention,
    List<String> notes) {
  Explanation {
    stages = List.copyOf(stages);
    rules = List.copyOf(rules);
    attention = List.copyOf(attention);
    notes = List.copyOf(notes);
  }

  /**
   * @param revision of the plan that the caps are from
   * @param missRatio share of missed answers that is acceptable
   */
  record Budget(
      String total,
      String countTo,
      String reserve,
      String mode,
      String rule,
      @Nullable Long revision,
      double missRatio) {}

  /**
   * Where the figures are from.
   *
   * @param from {@code live} or {@code status}
   * @param about for a person
   * @param reason of the condition MetricsAvailable
   */
  record Source(String from, String about, @Nullable String reason, @Nullable String message) {}

  /**
   * @param limitedBy the earlier stage that uses up its time
   * @param lastChange of its cap
   * @param lastHoldBackChange of what it leaves to those after it
   */
  record Stage(
      String name,
      String type,
      boolean optional,
      @Nullable String cap,
      @Nullable String declaredCap,
      @Nullable String capMin,
      @Nullable String capMax,
      @Nullable String floor,
      @Nullable String holdBack,
      Measured measured,
      @Nullable String limitedBy,
      @Nullable Change lastChange,
      @Nullable Change lastHoldBackChange) {}

  /**
   * One stage's figures.
   *
   * @param need what the plain rule would give
   */
  record Measured(
      @Nullable String p50,
      @Nullable String p95,
      @Nullable String p95AtLeast,
      @Nullable String headroom,
      @Nullable String shortBy,
      @Nullable String need,
      @Nullable Long samples,
      @Nullable Double timeoutRatio,
      @Nullable Double skippedRatio) {
    static final Measured NOTHING =
        new Measured(null, null, null, null, null, null, null, null, null);
  }

  /**
   * @param knob {@code Cap} or {@code HoldBack}
   * @param at when; null for a change that was not made
   */
  record Change(
      String stage,
      String knob,
      @Nullable String at,
      @Nullable String from,
      @Nullable String to,
      @Nullable String why) {}

  /**
   * @param answers how many
   * @param attainable share that would be full if nothing were ever cut
   * @param costliestStage costs the most full answers
   * @param remedy what would buy them back
   */
  record Answers(
      @Nullable Long answers,
      @Nullable Double full,
      @Nullable Double degraded,
      @Nullable Double missed,
      @Nullable String p95,
      @Nullable String usualLevel,
      @Nullable String remainingAtGenerate,
      @Nullable Double attainable,
      @Nullable String costliestStage,
      @Nullable String remedy) {}

  /** What was decided, or what a condition says. */
  record Decision(String name, @Nullable String reason, @Nullable String message) {}

  /**
   * @param changes none where the caps in force stay
   */
  record Rule(
      String rule,
      List<Change> changes,
      @Nullable Double full,
      @Nullable Double missed,
      @Nullable String message) {
    Rule {
      changes = List.copyOf(changes);
    }

    @Nullable Double degraded() {
      return full == null || missed == null ? null : Math.max(0, 1 - full - missed);
    }
  }
}
