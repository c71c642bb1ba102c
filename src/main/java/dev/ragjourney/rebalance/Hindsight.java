package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;
import dev.ragjourney.rebalance.PastMoves.Made;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of the last move, on what was measured since: one question before the next move.
 *
 * <p>The caps before it and those in force are replayed on the laws learned from the slices wholly
 * after it. The earlier ones come back only if they are worth more by over 2 standard errors and by
 * 0.2 point, beyond what the move was expected to cost when it was made: the plain rule gives time
 * away for a known price, and that is no surprise. Where the latencies have changed within the
 * window nothing is taken back: a slower world is not the move's fault.
 */
sealed interface Hindsight {
  /** There is no move to judge, or no way to. */
  record Nothing() implements Hindsight {}

  /** Some stage has too few calls since the move. */
  record TooEarly() implements Hindsight {}

  /** The earlier caps are not clearly better. */
  record Stood() implements Hindsight {}

  /**
   * The earlier caps are better.
   *
   * @param changes back to them
   * @param ladder what was left out runs again, or what came back is left out; null for neither
   * @param figures what both would give, for people
   * @param gain of going back
   */
  record Worse(
      List<CapChange> changes, @Nullable LadderChange ladder, String figures, Expected gain)
      implements Hindsight {
    public Worse {
      changes = List.copyOf(changes);
    }
  }

  /** Caps in metrics and records are as exact as this. */
  Duration SAME = Duration.ofMillis(1);

  double PERCENT = 100;

  String TAKEN_BACK = "the last move is taken back";

  /**
   * @param whole the laws of the whole window; empty where some stage has none
   */
  static Hindsight of(
      RebalanceInput input, Slices slices, List<StageFacts> stages, Optional<Evidence> whole) {
    Made last = input.moves().last();
    if (last == null) {
      return new Nothing();
    }
    Slices since = slices.since(last.at(), input.budget());
    for (StageFacts facts : stages) {
      if (!facts.setAside()
          && since.wholeWindow(facts.stage()).calls() < input.policy().minSamples()) {
        return new TooEarly();
      }
    }
    Expected expected = last.expected();
    if (last.takenBack()
        || expected == null
        || (last.changes().isEmpty() && last.ladder() == null)
        || !stillThere(last, input)
        || input.now().isAfter(last.at().plus(judgedWithin(input.policy())))) {
      return new Nothing();
    }
    Optional<Evidence> evidence =
        Evidence.of(input.budget(), since, QualitySearch.fine(input.budget()));
    if (evidence.isEmpty()
        || tooFewTrials(last, evidence.get(), input.policy())
        || whole.map(Evidence::drifted).orElse(false)) {
      return new Stood();
    }
    return judged(input, last, expected, evidence.get());
  }

  /** What is left out has the calls of the journeys on trial alone. */
  private static boolean tooFewTrials(Made last, Evidence since, RebalancePolicy policy) {
    return last.ladder() != null && since.calls() < policy.minSamples();
  }

  private static Hindsight judged(
      RebalanceInput input, Made last, Expected expected, Evidence evidence) {
    List<CapChange> back = new ArrayList<>();
    for (CapChange change : last.changes()) {
      back.add(
          new CapChange(
              change.stage(),
              change.knob(),
              change.to(),
              within(change, input.policy()),
              TAKEN_BACK));
    }
    LadderChange ladder = last.ladder() == null ? null : last.ladder().undone(TAKEN_BACK);
    QualitySearch search = new QualitySearch(input.budget(), input.policy(), evidence);
    JourneyBudget caps = CapChange.carriedOut(input.budget(), back);
    JourneyBudget before = ladder == null ? caps : ladder.carriedOut(caps);
    Comparison comparison = Comparison.of(search, evidence, input.budget(), before);
    double cost = Math.max(0, -expected.gain());
    double error =
        cost > 0
            ? Math.hypot(comparison.gain().error(), expected.error())
            : comparison.gain().error();
    double surprise = comparison.gain().gain() - cost;
    return surprise > Expected.ERRORS * error && surprise >= Expected.LEAST_GAIN
        ? new Worse(back, ladder, figures(comparison), comparison.gain())
        : new Stood();
  }

  /** A move that has not done harm within a window has stood. */
  private static Duration judgedWithin(RebalancePolicy policy) {
    return policy.window().plus(policy.interval());
  }

  /** Whether what the move set is what holds, of stages that are the same since. */
  private static boolean stillThere(Made last, RebalanceInput input) {
    if (last.ladder() != null
        && (!last.ladder().inForce(input.budget()) || changedSince(last, last.ladder(), input))) {
      return false;
    }
    for (CapChange change : last.changes()) {
      Optional<StageBudget> stage =
          input.budget().stages().stream()
              .filter(each -> each.name().equals(change.stage()))
              .findFirst();
      Instant changed = input.moves().changed().get(change.stage());
      if (stage.isEmpty() || (changed != null && changed.isAfter(last.at()))) {
        return false;
      }
      Duration now =
          change.knob() == CapChange.Moved.CAP ? stage.get().cap() : stage.get().holdBack();
      if (now == null || now.minus(change.to()).abs().compareTo(SAME) > 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean changedSince(Made last, LadderChange ladder, RebalanceInput input) {
    Instant changed = ladder.stage() == null ? null : input.moves().changed().get(ladder.stage());
    return changed != null && changed.isAfter(last.at());
  }

  private static Duration within(CapChange change, RebalancePolicy policy) {
    RebalancePolicy.CapRange range = policy.capRanges().get(change.stage());
    return range == null || change.knob() != CapChange.Moved.CAP
        ? change.from()
        : range.nearest(change.from());
  }

  private static String figures(Comparison comparison) {
    Forecast now = comparison.from();
    Forecast before = comparison.to();
    return String.format(
        Locale.ROOT,
        "on the calls since the move the caps before it give %.1f %% full and %.1f %% missed"
            + " answers, those in force %.1f %% and %.1f %%",
        before.full() * PERCENT,
        before.miss() * PERCENT,
        now.full() * PERCENT,
        now.miss() * PERCENT);
  }
}
