package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Shares;
import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.operator.observe.Round;
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
 *       Disabled.
 *   <li>{@code WithinBudget}: missed share ≤ objective; Unknown while it is not known.
 *   <li>{@code DegradedRateHigh}: True above the objective, False below 80 % of it, between them as
 *       it was; Unknown while the share is not known.
 *   <li>{@code StageStarved}: True from 80 % skipped of a stage, False below 64 %, between as it
 *       was.
 *   <li>{@code StageRegressed}: Unknown, there is no baseline to compare with.
 * </ul>
 */
final class MetricsFold {
  private static final double CLEARS_AT = 0.8;
  private static final double STARVED = 0.8;

  /** Shares are told to a tenth of a percent; products of them are not exact. */
  private static final double ROUNDING = 1e-9;

  private static final Set<String> CAPS_FOLLOW_RULE = Set.of("InBalance", "Rebalanced");

  private MetricsFold() {}

  static List<Verdict> verdicts(
      Round round,
      @Nullable JourneyStatus shown,
      Objective objective,
      Map<String, Condition> last) {
    RoundFigures figures = round.decision().figures();
    List<Verdict> verdicts = new ArrayList<>();
    verdicts.add(
        Verdict.of(
            Types.METRICS_AVAILABLE,
            figures.measured(),
            figures.metricsReason(),
            figures.metricsMessage()));
    verdicts.add(rebalanced(round.decision()));
    verdicts.add(withinBudget(figures, shown, objective));
    verdicts.add(degraded(figures, shown, objective, last.get(Types.DEGRADED_RATE_HIGH)));
    verdicts.add(starved(figures, last.get(Types.STAGE_STARVED)));
    return verdicts;
  }

  private static Verdict rebalanced(RebalanceDecision decision) {
    return switch (decision) {
      case RebalanceDecision.Move move ->
          Verdict.of(Types.REBALANCED, true, move.reason(), move.message());
      case RebalanceDecision.Recommend recommend ->
          Verdict.of(Types.REBALANCED, false, "Recommending", recommend.message());
      case RebalanceDecision.Hold hold ->
          CAPS_FOLLOW_RULE.contains(hold.reason())
              ? Verdict.of(Types.REBALANCED, true, hold.reason(), hold.message())
              : Verdict.of(
                  Types.REBALANCED,
                  false,
                  hold.reason().equals("Disabled") ? "Disabled" : "Holding",
                  hold.message());
    };
  }

  private static Verdict withinBudget(
      RoundFigures figures, @Nullable JourneyStatus shown, Objective objective) {
    String missed = shown == null ? null : shown.missRatio();
    if (missed == null) {
      return unknown(Types.WITHIN_BUDGET, figures);
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
      return unknown(Types.DEGRADED_RATE_HIGH, figures);
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

  private static Verdict starved(RoundFigures figures, @Nullable Condition last) {
    if (figures.stages().stream().allMatch(stage -> stage.skippedRatio() == null)) {
      return unknown(Types.STAGE_STARVED, figures);
    }
    for (StageFigures stage : figures.stages()) {
      if (stage.skippedRatio() != null && above(stage.skippedRatio(), STARVED, last)) {
        return Verdict.of(Types.STAGE_STARVED, true, "NearlyAlwaysSkipped", advice(stage));
      }
    }
    return Verdict.of(Types.STAGE_STARVED, false, "StagesRun", "no stage is nearly always skipped");
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

  private static Verdict unknown(String type, RoundFigures figures) {
    String reason = figures.measured() ? "TooFewSamples" : figures.metricsReason();
    return Verdict.unknown(
        type,
        reason,
        figures.measured() ? "too few answers in the window" : figures.metricsMessage());
  }
}
