package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The best settings of a journey: climbed to on a coarse grid, polished on a fine one. Of a journey
 * that leaves something out the best settings are those for what is left: there "full" is all that
 * is left, in time.
 */
final class QualitySearch {
  static final int FINE = 300;
  private static final int COARSE = 50;

  private final JourneyBudget budget;
  private final Objective objective;
  private final double missedPerForecast;
  private final Grid grid;
  private final JourneyOnGrid onGrid;
  private final Evidence evidence;
  private final RebalancePolicy policy;
  private final JourneyModel all;
  private final JourneyModel model;
  private final Grid coarse;
  private final JourneyOnGrid onRough;
  private final JourneyModel rough;
  private final Settings roughInForce;
  private final Map<Settings, Forecast> known = new HashMap<>();
  private final Map<Question, Replay.Gain> gains = new HashMap<>();
  private @Nullable Replay replay;
  private @Nullable QualitySearch whole;

  private record Question(Settings from, Settings to, double missCosts) {}

  QualitySearch(JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    this(budget, policy, evidence, null);
  }

  /**
   * @param missed answers per forecast; null where the answers are to say
   */
  private QualitySearch(
      JourneyBudget budget, RebalancePolicy policy, Evidence evidence, @Nullable Double missed) {
    this.budget = budget;
    this.policy = policy;
    this.evidence = evidence;
    grid = fine(budget);
    onGrid = JourneyOnGrid.of(budget, grid);
    all =
        onGrid.model(evidence.laws(), evidence.fallbacks(), evidence.failing(), policy.capRanges());
    model = course(budget).model();
    coarse = Grid.of(JourneyOnGrid.horizon(budget), COARSE);
    onRough = JourneyOnGrid.of(budget, coarse);
    JourneyModel allRough =
        onRough.model(
            onCoarse(evidence.laws()),
            onCoarse(evidence.fallbacks()),
            evidence.failing(),
            policy.capRanges());
    Course roughly = Course.of(allRough, budget, onRough.settings(budget));
    rough = roughly.model();
    roughInForce = roughly.settings();
    missedPerForecast =
        missed == null
            ? Answered.missedPerForecast(evidence.answered(), served(inForce()))
            : missed;
    objective = Objective.missing(policy.missRatio() / Math.max(1, missedPerForecast));
  }

  static Grid fine(JourneyBudget budget) {
    return Grid.of(JourneyOnGrid.horizon(budget), FINE);
  }

  Grid grid() {
    return grid;
  }

  /** The grid of {@link #rough}. */
  Grid coarse() {
    return coarse;
  }

  JourneyOnGrid onGrid() {
    return onGrid;
  }

  JourneyModel model() {
    return model;
  }

  Objective objective() {
    return objective;
  }

  /** The same question about the journey with everything in it. */
  QualitySearch whole() {
    if (budget.leaves().nothing()) {
      return this;
    }
    if (whole == null) {
      JourneyBudget everything = budget.leaving(LeftOut.NOTHING);
      whole = new QualitySearch(everything, policy, evidence, missedPerForecast);
    }
    return whole;
  }

  /** The journey that most questions take under a budget. */
  Course course(JourneyBudget of) {
    return Course.of(all, of, onGrid.settings(of));
  }

  /** What a budget has in force, that leaves the same out. */
  Settings settings(JourneyBudget of) {
    return course(of).settings();
  }

  /**
   * What the answers will be: of those that leave something out none is full, and a share of the
   * journeys is on trial.
   */
  Forecast served(Settings settings) {
    Forecast left = forecast(settings);
    if (budget.leaves().nothing()) {
      return left;
    }
    Forecast tried = Outlook.of(all, settings)[0].forecast();
    double share = budget.leaves().trialShare();
    return new Forecast(share * tried.full(), (1 - share) * left.miss() + share * tried.miss());
  }

  /** Of settings on {@link #grid}. */
  Forecast forecast(Settings settings) {
    return known.computeIfAbsent(settings, any -> Outlook.of(model, any)[0].forecast());
  }

  /** The journeys on which settings are compared one by one. */
  Replay replay() {
    if (replay == null) {
      replay = Replay.of(model);
    }
    return replay;
  }

  /** What {@link Replay#gain} says, asked once. */
  Replay.Gain gain(Settings from, Settings to, double missCosts) {
    return gains.computeIfAbsent(
        new Question(from, to, missCosts), _ -> replay().gain(from, to, missCosts));
  }

  /** The same journey with less detail. */
  JourneyModel rough() {
    return rough;
  }

  /** The settings in force, in less detail. */
  Settings roughInForce() {
    return roughInForce;
  }

  /**
   * How many times as many answers are missed as forecast for the settings in force, by what the
   * answers since the last move say; stages that are slow together are the usual cause.
   */
  double missedPerForecast() {
    return missedPerForecast;
  }

  Settings inForce() {
    return settings(budget);
  }

  Settings best() {
    Settings climbed =
        new Ascent(rough, objective)
            .mostPromising(List.of(roughInForce(), Settings.loosest(rough)));
    Ascent ascent = new Ascent(model, objective);
    return ascent.settled(refined(climbed), inForce());
  }

  private Settings refined(Settings settings) {
    int[] caps = new int[model.stages().size()];
    int[] holds = new int[caps.length];
    for (int i = 0; i < caps.length; i++) {
      StageModel stage = model.stages().get(i);
      double cap = coarse.limit(settings.cap(i));
      double hold = coarse.seconds(settings.hold(i));
      caps[i] =
          settings.cap(i) == rough.stages().get(i).caps().highest()
              ? stage.caps().highest()
              : stage.caps().clamp(grid.upTo(Seconds.toDuration(cap)));
      holds[i] = stage.holds().clamp(grid.points(Seconds.toDuration(hold)));
    }
    return Settings.of(caps, holds);
  }

  private Map<String, CellLaw> onCoarse(Map<String, CellLaw> laws) {
    Map<String, CellLaw> resampled = new HashMap<>();
    laws.forEach((stage, law) -> resampled.put(stage, law.on(grid, coarse)));
    return resampled;
  }
}
