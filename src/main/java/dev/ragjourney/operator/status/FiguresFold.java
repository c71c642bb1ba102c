package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.StageStatus;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.StageFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of status. Before the first round of this process the ones that are there stay: a
 * restart forgets nothing.
 */
final class FiguresFold {
  private static final JourneyStatus NO_JOURNEY =
      new JourneyStatus(null, null, null, null, null, null, null, null, null);

  private FiguresFold() {}

  static @Nullable JourneyStatus journey(@Nullable RagJourneyStatus last, @Nullable Round round) {
    JourneyStatus shown = last == null ? null : last.journey();
    if (round == null) {
      return shown;
    }
    JourneyStatus before = shown == null ? NO_JOURNEY : shown;
    RoundFigures.JourneyFigures now = round.decision().figures().journey();
    Forecasts forecasts = round.decision().figures().forecasts();
    JourneyStatus after =
        new JourneyStatus(
            Steady.duration(before.p95(), now.p95()),
            Steady.share(before.withinBudgetRatio(), now.withinBudgetRatio()),
            Steady.share(before.degradedRatio(), now.degradedRatio()),
            Steady.share(before.missRatio(), now.missRatio()),
            now.usualLevel(),
            Steady.duration(before.remainingAtGenerate(), now.remainingAtGenerate()),
            Steady.share(
                before.attainableRatio(), forecasts == null ? null : forecasts.attainable()),
            AttributionFold.stage(before, forecasts),
            AttributionFold.remedy(before, forecasts));
    return after.equals(NO_JOURNEY) ? null : after;
  }

  static List<StageStatus> stages(
      Plan plan, @Nullable RagJourneyStatus last, @Nullable Round round) {
    List<StageStatus> rows = new ArrayList<>();
    for (StageBudget stage : plan.budget().stages()) {
      StageStatus shown = row(last, stage.name());
      rows.add(
          round == null
              ? unmeasured(stage, shown)
              : measured(stage, shown, figures(round, stage.name())));
    }
    return rows;
  }

  private static StageStatus unmeasured(StageBudget stage, @Nullable StageStatus shown) {
    return shown == null
        ? row(stage, null, null, null, null, null, null, null, null)
        : row(
            stage,
            shown.p50(),
            shown.p95(),
            shown.p95AtLeast(),
            shown.headroom(),
            shown.shortBy(),
            shown.timeoutRatio(),
            shown.skippedRatio(),
            shown.samples());
  }

  private static StageStatus measured(
      StageBudget stage, @Nullable StageStatus shown, Optional<StageFigures> figures) {
    if (figures.isEmpty()) {
      return unmeasured(stage, null);
    }
    StageStatus before = shown == null ? unmeasured(stage, null) : shown;
    StageFigures now = figures.get();
    String p95 = Steady.duration(before.p95(), now.p95());
    Duration spare = spare(stage.cap(), p95);
    return row(
        stage,
        Steady.duration(before.p50(), now.p50()),
        p95,
        Steady.duration(before.p95AtLeast(), now.p95AtLeast()),
        spare == null || spare.isNegative() ? null : Durations.format(spare),
        spare == null || !spare.isNegative() ? null : Durations.format(spare.negated()),
        Steady.share(before.timeoutRatio(), now.timeoutRatio()),
        Steady.share(before.skippedRatio(), now.skippedRatio()),
        Steady.count(before.samples(), now.samples()));
  }

  /** To the p95 that is shown: the small difference of two figures wobbles more than either. */
  private static @Nullable Duration spare(@Nullable Duration cap, @Nullable String p95) {
    return cap == null || p95 == null ? null : cap.minus(Durations.parse(p95));
  }

  private static StageStatus row(
      StageBudget stage,
      @Nullable String p50,
      @Nullable String p95,
      @Nullable String p95AtLeast,
      @Nullable String headroom,
      @Nullable String shortBy,
      @Nullable String timeoutRatio,
      @Nullable String skippedRatio,
      @Nullable Long samples) {
    return new StageStatus(
        stage.name(),
        text(stage.cap()),
        text(stage.declaredCap()),
        p50,
        p95,
        p95AtLeast,
        headroom,
        shortBy,
        timeoutRatio,
        skippedRatio,
        samples);
  }

  private static @Nullable StageStatus row(@Nullable RagJourneyStatus last, String stage) {
    List<StageStatus> rows = last == null ? null : last.stages();
    return rows == null
        ? null
        : rows.stream().filter(row -> stage.equals(row.name())).findFirst().orElse(null);
  }

  private static Optional<StageFigures> figures(Round round, String stage) {
    return round.decision().figures().stages().stream()
        .filter(figures -> figures.stage().equals(stage))
        .findFirst();
  }

  static @Nullable String text(@Nullable Duration duration) {
    return duration == null ? null : Durations.formatRounded(duration);
  }
}
