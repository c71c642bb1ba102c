package dev.ragjourney.operator.status;

import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.Shares;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.crd.status.StageStatus;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.StageFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that a round's figures decide.
 *
 * <ul>
 *   <li>{@code MetricsAvailable}: True/Measured, else False with the verdict's reason.
 *   <li>{@code Rebalanced}: True when caps moved or need not; False/Holding, Recommending,
 *       Disabled, Paused; False/RolledBack from a rollback until its cooldown is over.
 *   <li>{@code WithinBudget}: missed share ≤ objective.
 *   <li>{@code DegradedRateHigh}: True above the objective, False below 80 % of it, between them as
 *       it was.
 *   <li>{@code StageStarved}: True above 80 % skipped of a stage, False below 64 %, between as it
 *       was.
 *   <li>{@code GenerateStartsLate}: {@link GenerateFold}.
 *   <li>{@code StageRegressed}: Unknown, there is no baseline to compare with.
 * </ul>
 *
 * <p>Those of answers are Unknown/TooFewSamples while the window has fewer than {@code minSamples}
 * of them, and Unknown with the verdict's reason while nothing is known.
 */
final class MetricsFold {
  private static final double CLEARS_AT = 0.8;
  private static final double STARVED = 0.8;

  private static final List<String> OF_ANSWERS =
      List.of(
          Types.WITHIN_BUDGET,
          Types.DEGRADED_RATE_HIGH,
          Types.STAGE_STARVED,
          Types.GENERATE_STARTS_LATE);

  private static final Set<String> BY_WISH = Set.of(Reasons.DISABLED, Reasons.PAUSED);

  /** Shares are told to a tenth of a percent; products of them are not exact. */
  private static final double ROUNDING = 1e-9;

  private static final Set<String> CAPS_FOLLOW_RULE =
      Set.of(Reasons.IN_BALANCE, Reasons.REBALANCED);

  private static final Set<String> AFTER_A_ROLLBACK =
      Set.of(Reasons.COOLING_DOWN, Reasons.JUDGING_LAST_MOVE, Reasons.TOO_FEW_SAMPLES);

  private MetricsFold() {}

  /** The figures as status shows them: they stand still. */
  record Shown(
      @Nullable JourneyStatus journey, @Nullable List<StageStatus> stages, LeftOut leftOut) {}

  static List<Verdict> verdicts(
      Round round,
      Shown shown,
      ParsedJourney journey,
      @Nullable LastMove lastMove,
      Map<String, Condition> last) {
    RoundFigures figures = round.decision().figures();
    Objective objective = journey.objective();
    List<Verdict> verdicts = new ArrayList<>();
    verdicts.add(
        Verdict.of(
            Types.METRICS_AVAILABLE,
            figures.measured(),
            figures.metricsReason(),
            figures.metricsMessage()));
    verdicts.add(rebalanced(round.decision(), lastMove));
    int least = journey.rebalance().minSamples();
    if (figures.journey().answers() < least) {
      for (String type : OF_ANSWERS) {
        verdicts.add(unknown(type, figures, least));
      }
      return verdicts;
    }
    verdicts.add(withinBudget(figures, shown.journey(), objective));
    verdicts.add(degraded(figures, shown.journey(), objective, last.get(Types.DEGRADED_RATE_HIGH)));
    verdicts.add(
        starved(figures, journey.budget().leaving(shown.leftOut()), last.get(Types.STAGE_STARVED)));
    verdicts.add(
        GenerateFold.verdict(
                figures.journey().remainingAtGenerate(),
                shown.stages(),
                journey.budget(),
                last.get(Types.GENERATE_STARTS_LATE))
            .orElseGet(() -> unknown(Types.GENERATE_STARTS_LATE, figures, least)));
    return verdicts;
  }

  private static Verdict rebalanced(RebalanceDecision decision, @Nullable LastMove lastMove) {
    return switch (decision) {
      case RebalanceDecision.Move move ->
          Verdict.of(
              Types.REBALANCED,
              !move.reason().equals(Reasons.ROLLED_BACK),
              move.reason(),
              move.message());
      case RebalanceDecision.Recommend recommend ->
          Verdict.of(Types.REBALANCED, false, recommend.reason(), asPaused(recommend));
      case RebalanceDecision.Hold hold -> held(hold, lastMove);
    };
  }

  private static Verdict held(RebalanceDecision.Hold hold, @Nullable LastMove lastMove) {
    if (CAPS_FOLLOW_RULE.contains(hold.reason())) {
      return Verdict.of(Types.REBALANCED, true, hold.reason(), hold.message());
    }
    String rolledBack =
        lastMove != null && lastMove.reason().equals(Reasons.ROLLED_BACK)
            ? lastMove.message()
            : null;
    if (rolledBack != null && AFTER_A_ROLLBACK.contains(hold.reason())) {
      return Verdict.of(Types.REBALANCED, false, Reasons.ROLLED_BACK, rolledBack);
    }
    boolean byWish = BY_WISH.contains(hold.reason());
    return Verdict.of(Types.REBALANCED, false, byWish ? hold.reason() : "Holding", asPaused(hold));
  }

  private static String asPaused(RebalanceDecision decision) {
    return decision.reason().equals(Reasons.PAUSED)
        ? "annotation " + RagJourney.PAUSED + ": " + decision.message()
        : decision.message();
  }

  private static Verdict withinBudget(
      RoundFigures figures, @Nullable JourneyStatus shown, Objective objective) {
    String missed = shown == null ? null : shown.missRatio();
    if (missed == null) {
      return unknown(Types.WITHIN_BUDGET, figures, 1);
    }
    boolean within = Shares.parse(missed) <= objective.missRatio();
    return Verdict.of(
        Types.WITHIN_BUDGET,
        within,
        within ? "MissRatioLow" : "MissRatioHigh",
        "%s of the answers were missed (static, error or late); the objective is at most %s"
            .formatted(missed, Shares.format(objective.missRatio())));
  }

  private static Verdict degraded(
      RoundFigures figures,
      @Nullable JourneyStatus shown,
      Objective objective,
      @Nullable Condition last) {
    String degraded = shown == null ? null : shown.degradedRatio();
    if (degraded == null) {
      return unknown(Types.DEGRADED_RATE_HIGH, figures, 1);
    }
    double threshold = objective.degradedRatio();
    boolean high = above(Shares.parse(degraded), threshold, last);
    return Verdict.of(
        Types.DEGRADED_RATE_HIGH,
        high,
        high ? "AboveThreshold" : "BelowThreshold",
        "%s of the answers were degraded; the threshold is %s and clears below %s"
            .formatted(
                degraded,
                Shares.format(threshold),
                Shares.format(Math.round(threshold * CLEARS_AT * 1e6) / 1e6)));
  }

  private static Verdict starved(
      RoundFigures figures, JourneyBudget budget, @Nullable Condition last) {
    if (figures.stages().stream().allMatch(stage -> stage.skippedRatio() == null)) {
      return unknown(Types.STAGE_STARVED, figures, 1);
    }
    for (StageFigures stage : figures.stages()) {
      if (stage.skippedRatio() != null && above(stage.skippedRatio(), STARVED, last)) {
        String left = leftOut(stage.stage(), budget);
        return left != null
            ? Verdict.of(Types.STAGE_STARVED, true, "LeftOut", left)
            : Verdict.of(Types.STAGE_STARVED, true, "NearlyAlwaysSkipped", advice(stage));
      }
    }
    return Verdict.of(Types.STAGE_STARVED, false, "StagesRun", "no stage is nearly always skipped");
  }

  /** Null for a stage that is starved for another reason. */
  private static @Nullable String leftOut(String stage, JourneyBudget budget) {
    boolean alone = budget.leaves().stages().contains(stage);
    FallbackLevel start = budget.levels().get(budget.startLevel());
    if (!alone && (budget.startLevel() == 0 || !start.skip().contains(stage))) {
      return null;
    }
    String why =
        alone
            ? stage + " is left out"
            : "journeys begin at level %s, without %s".formatted(start.name(), stage);
    return "%s, as trying it costs more answers than it makes better; %s of the journeys try it, and it comes back when that serves better. Scale its backend, or remove it"
        .formatted(why, Shares.format(budget.leaves().trialShare()));
  }

  private static String advice(StageFigures stage) {
    String share =
        Shares.format(Math.round(Objects.requireNonNull(stage.skippedRatio()) * 100) / 100.0);
    return stage.limitedBy() != null
        ? "%s gave no result in %s of the journeys: the time is gone when it should start, used up by %s. Speed %s up, lower its cap, or remove %s"
            .formatted(stage.stage(), share, stage.limitedBy(), stage.limitedBy(), stage.stage())
        : "%s gave no result in %s of the journeys: its cap is too short for its backend. Raise its cap, scale its backend, or remove it"
            .formatted(stage.stage(), share);
  }

  /** Above the threshold, or not yet below 80 % of it. */
  private static boolean above(double value, double threshold, @Nullable Condition last) {
    boolean wasAbove = last != null && Verdict.TRUE.equals(last.status());
    return value > threshold || (wasAbove && value >= threshold * CLEARS_AT - ROUNDING);
  }

  private static Verdict unknown(String type, RoundFigures figures, int least) {
    boolean few = figures.measured() || figures.journey().answers() > 0;
    return Verdict.unknown(
        type,
        few ? Reasons.TOO_FEW_SAMPLES : figures.metricsReason(),
        few
            ? "fewer than the %d answers needed in the window".formatted(least)
            : figures.metricsMessage());
  }
}
