package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.ratio;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RecommendationStatus;
import dev.ragjourney.crd.status.StageStatus;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.LadderAdvice;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RoundFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes explanations of what a round saw just now, or of what the operator wrote down last. */
final class Explaining {
  private static final String IN_FORCE = "in force";

  private final LoadedJourney journey;
  private final ParsedJourney parsed;
  private final JourneyBudget inForce;
  private final LastChanges changes;

  Explaining(LoadedJourney journey) {
    this.journey = journey;
    parsed = journey.parsed();
    inForce = journey.inForce();
    changes = LastChanges.of(journey.status());
  }

  /** Of a round that was made just now. */
  Explanation live(RebalanceDecision decision, String about) {
    RoundFigures figures = decision.figures();
    Map<String, RoundFigures.StageFigures> byStage = new HashMap<>();
    figures.stages().forEach(stage -> byStage.put(stage.stage(), stage));
    List<Explanation.Stage> stages = new ArrayList<>();
    for (StageBudget stage : inForce.stages()) {
      RoundFigures.StageFigures measured = byStage.get(stage.name());
      stages.add(
          stage(
              stage,
              measured == null ? Explanation.Measured.NOTHING : measured(stage, measured),
              measured == null ? null : measured.limitedBy()));
    }
    return explanation(
        new Explanation.Source("live", about, figures.metricsReason(), figures.metricsMessage()),
        stages,
        answers(figures),
        new Explanation.Decision(now(decision), decision.reason(), decision.message()),
        rules(figures.forecasts()),
        advice(figures.forecasts()));
  }

  /** What the operator shows only after three windows in a row that say so is told here at once. */
  private static @Nullable String advice(@Nullable Forecasts forecasts) {
    LadderAdvice advice = forecasts == null ? null : forecasts.advice();
    if (advice == null) {
      return null;
    }
    return advice.lasting()
        ? advice.message()
        : advice.message() + " (not in each of the last three intervals)";
  }

  private static String now(RebalanceDecision decision) {
    return switch (decision) {
      case RebalanceDecision.Hold _ -> "a round now would hold";
      case RebalanceDecision.Move _ -> "a round now would move caps";
      case RebalanceDecision.Recommend _ -> "a round now would recommend";
    };
  }

  private static Explanation.Measured measured(
      StageBudget stage, RoundFigures.StageFigures figures) {
    Duration spare =
        stage.cap() == null || figures.p95() == null ? null : stage.cap().minus(figures.p95());
    boolean enough = spare != null && !spare.isNegative();
    return new Explanation.Measured(
        Shown.duration(figures.p50()),
        Shown.duration(figures.p95()),
        Shown.duration(figures.p95AtLeast()),
        enough ? Shown.duration(spare) : null,
        spare != null && !enough ? Shown.duration(spare.negated()) : null,
        Shown.duration(figures.need()),
        figures.samples(),
        ratio(figures.timeoutRatio()),
        ratio(figures.skippedRatio()));
  }

  private static Explanation.Answers answers(RoundFigures figures) {
    RoundFigures.JourneyFigures seen = figures.journey();
    Forecasts forecasts = figures.forecasts();
    return new Explanation.Answers(
        seen.answers(),
        full(seen.degradedRatio(), seen.missRatio()),
        ratio(seen.degradedRatio()),
        ratio(seen.missRatio()),
        Shown.duration(seen.p95()),
        seen.usualLevel(),
        Shown.duration(seen.remainingAtGenerate()),
        forecasts == null ? null : ratio(forecasts.attainable()),
        forecasts == null ? null : forecasts.costliestStage(),
        forecasts == null ? null : forecasts.remedy());
  }

  private static @Nullable Double full(@Nullable Double degraded, @Nullable Double missed) {
    return degraded == null || missed == null ? null : ratio(Math.max(0, 1 - degraded - missed));
  }

  private static List<Explanation.Rule> rules(@Nullable Forecasts forecasts) {
    List<Explanation.Rule> rules = new ArrayList<>();
    if (forecasts != null) {
      Forecast now = forecasts.inForce();
      rules.add(
          new Explanation.Rule(IN_FORCE, List.of(), ratio(now.full()), ratio(now.miss()), null));
      for (Forecasts.OfRule of : forecasts.rules()) {
        rules.add(
            new Explanation.Rule(
                of.rule().label(),
                of.changes().stream().map(LastChanges::proposed).toList(),
                ratio(of.forecast().full()),
                ratio(of.forecast().miss()),
                null));
      }
    }
    return rules;
  }

  /**
   * Of what the operator wrote down.
   *
   * @param why nothing newer is known
   */
  Explanation fromStatus(String why) {
    RagJourneyStatus status = journey.status();
    String about = (status == null ? "none; " : "as the operator wrote them down; ") + why;
    Map<String, StageStatus> byStage = new HashMap<>();
    if (status != null && status.stages() != null) {
      status.stages().forEach(stage -> byStage.put("" + stage.name(), stage));
    }
    List<Explanation.Stage> stages = new ArrayList<>();
    for (StageBudget stage : inForce.stages()) {
      StageStatus shown = byStage.get(stage.name());
      stages.add(
          stage(stage, shown == null ? Explanation.Measured.NOTHING : measured(shown), null));
    }
    Condition metrics = condition("MetricsAvailable").orElse(null);
    Condition rebalanced = condition("Rebalanced").orElse(null);
    return explanation(
        new Explanation.Source(
            "status",
            about,
            metrics == null ? null : metrics.reason(),
            metrics == null ? null : metrics.message()),
        stages,
        status == null || status.journey() == null ? null : answers(status.journey()),
        new Explanation.Decision(
            "the last round",
            rebalanced == null ? null : rebalanced.reason(),
            rebalanced == null ? null : rebalanced.message()),
        status == null || status.rebalance() == null
            ? List.of()
            : recommended(status.rebalance().recommendation()),
        status == null || status.rebalance() == null || status.rebalance().advice() == null
            ? null
            : status.rebalance().advice().message());
  }

  private static Explanation.Measured measured(StageStatus shown) {
    return new Explanation.Measured(
        shown.p50(),
        shown.p95(),
        shown.p95AtLeast(),
        shown.headroom(),
        shown.shortBy(),
        null,
        shown.samples(),
        Shown.share(shown.timeoutRatio()),
        Shown.share(shown.skippedRatio()));
  }

  private static Explanation.Answers answers(JourneyStatus shown) {
    Double degraded = Shown.share(shown.degradedRatio());
    Double missed = Shown.share(shown.missRatio());
    return new Explanation.Answers(
        null,
        full(degraded, missed),
        degraded,
        missed,
        shown.p95(),
        shown.usualLevel(),
        shown.remainingAtGenerate(),
        Shown.share(shown.attainableRatio()),
        shown.costliestStage(),
        shown.remedy());
  }

  private static List<Explanation.Rule> recommended(@Nullable RecommendationStatus shown) {
    return shown == null
        ? List.of()
        : List.of(
            new Explanation.Rule(
                "" + shown.rule(),
                LastChanges.changes(null, shown.changes()),
                Shown.share(shown.fullRatio()),
                null,
                shown.message()));
  }

  private Explanation explanation(
      Explanation.Source source,
      List<Explanation.Stage> stages,
      Explanation.@Nullable Answers answers,
      Explanation.Decision decision,
      List<Explanation.Rule> rules,
      @Nullable String advice) {
    RebalancePolicy policy = parsed.rebalance();
    return new Explanation(
        journey.id().namespace(),
        journey.id().name(),
        new Explanation.Budget(
            Objects.requireNonNull(Shown.duration(inForce.total())),
            inForce.countTo().label(),
            Objects.requireNonNull(Shown.duration(inForce.reserve())),
            policy.mode().label(),
            policy.rule().label(),
            journey.plan() == null ? null : journey.plan().revision(),
            policy.missRatio()),
        source,
        stages,
        answers,
        decision,
        rules,
        advice,
        attention(),
        notes());
  }

  private List<String> notes() {
    String left = LeftThen.note(inForce);
    return left == null
        ? journey.notes()
        : Stream.concat(Stream.of(left), journey.notes().stream()).toList();
  }

  private Explanation.Stage stage(
      StageBudget stage, Explanation.Measured measured, @Nullable String limitedBy) {
    RebalancePolicy.CapRange range = parsed.rebalance().capRanges().get(stage.name());
    return new Explanation.Stage(
        stage.name(),
        stage.type().label(),
        stage.optional(),
        Shown.duration(stage.cap()),
        Shown.duration(stage.declaredCap()),
        range == null ? null : Shown.duration(range.min()),
        range == null ? null : Shown.duration(range.max()),
        stage.floor().isZero() ? null : Shown.duration(stage.floor()),
        Shown.duration(stage.holdBack()),
        measured,
        limitedBy,
        changes.ofCap(stage.name()),
        changes.ofHoldBack(stage.name()));
  }

  private List<Explanation.Decision> attention() {
    List<Explanation.Decision> found = new ArrayList<>();
    Map<String, String> bad =
        Map.of(
            "Ready", "False",
            "WithinBudget", "False",
            "DegradedRateHigh", "True",
            "StageStarved", "True",
            "StageRegressed", "True");
    for (Condition condition : conditions()) {
      String type = "" + condition.type();
      if (Objects.equals(bad.get(type), condition.status())) {
        found.add(new Explanation.Decision(type, condition.reason(), condition.message()));
      }
    }
    return found;
  }

  private Optional<Condition> condition(String type) {
    return conditions().stream().filter(one -> type.equals(one.type())).findFirst();
  }

  private List<Condition> conditions() {
    List<Condition> all = journey.status() == null ? null : journey.status().conditions();
    return all == null ? List.of() : all;
  }
}
