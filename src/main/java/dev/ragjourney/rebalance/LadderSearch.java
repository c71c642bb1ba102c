package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.LadderAdvice.Rung;
import dev.ragjourney.rebalance.PastMoves.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an optional stage to skip outright, or a lower level to start at.
 *
 * <p>An answer without a stage, or from a lower level, is never full: the worth of leaving
 * something out is {@code −3 × max(0, missed − objective)}, never above 0. So it is looked for only
 * where the whole journey with its best settings is worth less than 0. Advice must be worth 0.2
 * point and 2 standard errors more than those, on the same replayed journeys. Lower levels have the
 * full form's laws: their own are faster if anything.
 */
final class LadderSearch {
  /** So many slices must each say the same. */
  private static final int SLICES = 3;

  private final JourneyBudget budget;
  private final QualitySearch search;
  private final double calls;
  private final Settings best;
  private final Forecast whole;

  private LadderSearch(
      JourneyBudget budget, QualitySearch search, double calls, Settings best, Forecast whole) {
    this.budget = budget;
    this.search = search;
    this.calls = calls;
    this.best = best;
    this.whole = whole;
  }

  /** Something left out: a stage, by index, or the levels above one. */
  private record Less(Rung rung, int index) {}

  private record Outcome(Less less, JourneyModel model, Settings settings, Forecast forecast) {}

  /**
   * @param slices what {@code evidence} was learned from
   * @param search on that evidence
   */
  static Optional<LadderAdvice> advise(
      JourneyBudget budget,
      RebalancePolicy policy,
      Slices slices,
      Evidence evidence,
      QualitySearch search) {
    LadderSearch ladder = inTrouble(budget, search, evidence.calls());
    Outcome outcome = ladder == null ? null : ladder.mostWorth();
    if (ladder == null || outcome == null) {
      return Optional.empty();
    }
    return Optional.of(ladder.advice(outcome, onEach(budget, policy, slices, outcome.less())));
  }

  /** Null where the settings in force, or else the best ones, are worth 0 or more. */
  private static @Nullable LadderSearch inTrouble(
      JourneyBudget budget, QualitySearch search, double calls) {
    Objective objective = search.objective();
    if (objective.worth(search.forecast(search.inForce())) >= 0) {
      return null;
    }
    Settings found = search.best();
    Settings best =
        mostWorth(search.model(), objective, List.of(found, next(budget, search.model(), found)));
    Forecast whole = search.forecast(best);
    return objective.worth(whole) >= 0
        ? null
        : new LadderSearch(budget, search, calls, best, whole);
  }

  /** As near to skipping every optional stage as caps allow. */
  private static Settings next(JourneyBudget budget, JourneyModel model, Settings settings) {
    Settings next = settings;
    for (int i = 0; i < budget.stages().size(); i++) {
      if (budget.stages().get(i).optional()) {
        next = next.withCap(i, model.stages().get(i).caps().lowest());
      }
    }
    return next;
  }

  /** The best one of those near some. */
  private static Settings mostWorth(
      JourneyModel model, Objective objective, List<Settings> starts) {
    Ascent ascent = new Ascent(model, objective);
    Settings best = starts.getFirst();
    double most = Double.NEGATIVE_INFINITY;
    for (Settings start : starts) {
      Settings polished = ascent.polished(start);
      double worth = objective.worth(ascent.forecast(polished));
      if (worth > most) {
        best = polished;
        most = worth;
      }
    }
    return best;
  }

  private static boolean onEach(
      JourneyBudget budget, RebalancePolicy policy, Slices slices, Less less) {
    List<WindowSlice> all = slices.all();
    if (all.size() < SLICES) {
      return false;
    }
    WindowSlice before = null;
    for (WindowSlice slice : all.subList(all.size() - SLICES, all.size())) {
      if ((before != null && slice.from().isAfter(before.to()))
          || !on(budget, policy, slices.only(slice), less)) {
        return false;
      }
      before = slice;
    }
    return true;
  }

  private static boolean on(JourneyBudget budget, RebalancePolicy policy, Slices slice, Less less) {
    Optional<Evidence> evidence = Evidence.of(budget, slice, QualitySearch.fine(budget));
    if (evidence.isEmpty()) {
      return false;
    }
    QualitySearch search = new QualitySearch(budget, policy, evidence.get());
    LadderSearch ladder = inTrouble(budget, search, evidence.get().calls());
    return ladder != null && ladder.pays(ladder.outcome(less));
  }

  /** Of nearly equal ones the first: stages in order, then levels from the best one down. */
  private @Nullable Outcome mostWorth() {
    Outcome chosen = null;
    double most = 0;
    for (Less less : choices()) {
      Outcome outcome = outcome(less);
      double worth = search.objective().worth(outcome.forecast());
      if ((chosen == null || worth >= most + Expected.LEAST_GAIN) && pays(outcome)) {
        chosen = outcome;
        most = worth;
      }
    }
    return chosen;
  }

  private List<Less> choices() {
    List<Less> choices = new ArrayList<>();
    for (int i = 0; i < budget.stages().size(); i++) {
      StageBudget stage = budget.stages().get(i);
      if (stage.optional() && search.model().stages().get(i).levels().getFirst().runs()) {
        choices.add(new Less(Rung.STAGE, i));
      }
    }
    for (int level = 1; level < search.model().levels(); level++) {
      choices.add(new Less(Rung.LEVEL, level));
    }
    return choices;
  }

  private boolean pays(Outcome outcome) {
    Objective objective = search.objective();
    double gain = objective.worth(outcome.forecast()) - objective.worth(whole);
    if (gain < Expected.LEAST_GAIN) {
      return false;
    }
    double error =
        search
            .replay()
            .gainOfLess(
                best,
                Replay.of(outcome.model()),
                outcome.settings(),
                level(outcome.less()),
                objective.price())
            .error(calls);
    return new Expected(gain, error).pays();
  }

  /** The caps are those with which the most journeys get all that is left in time. */
  private Outcome outcome(Less less) {
    JourneyModel all = search.model();
    JourneyModel left = all;
    for (int stage = 0; stage < all.stages().size(); stage++) {
      boolean out =
          less.rung() == Rung.STAGE
              ? stage == less.index()
              : !all.stages().get(stage).levels().get(less.index()).runs();
      left = out ? left.without(stage) : left;
    }
    Settings settings =
        mostWorth(left, search.objective(), List.of(search.inForce(), Settings.loosest(left)));
    JourneyModel model = less.rung() == Rung.STAGE ? left : all;
    Outlook start = Outlook.of(model, settings)[0];
    double miss = start.miss(JourneyModel.stateOf(level(less)))[0];
    return new Outcome(less, model, settings, new Forecast(0, miss));
  }

  private static int level(Less less) {
    return less.rung() == Rung.LEVEL ? less.index() : 0;
  }

  private LadderAdvice advice(Outcome outcome, boolean lasting) {
    Less less = outcome.less();
    boolean stage = less.rung() == Rung.STAGE;
    return new LadderAdvice(
        less.rung(),
        stage ? budget.stages().get(less.index()).name() : budget.levels().get(less.index()).name(),
        budget.levels().getFirst().name(),
        whole,
        outcome.forecast(),
        stage ? search.model().stages().get(less.index()).law().longer(best.cap(less.index())) : 0,
        lasting);
  }
}
