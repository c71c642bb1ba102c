package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.rebalance.PastMoves.Expected;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One rung down where the advice lasts and may be followed, and one back up where the journeys on
 * trial say that running it serves better again. Both ways it must be worth 0.2 point and 2
 * standard errors with the settings in force, so that in between everything stays as it is.
 *
 * <p>At most one thing is left out. A pinned stage never is: its times are not rebalancing's.
 *
 * @param proposal null where nothing is to change
 * @param whyNot for people, why lasting advice is not followed or nothing comes back; empty where
 *     there is nothing to say
 */
record LadderStep(@Nullable Proposal proposal, @Nullable Expected expected, String whyNot) {
  private static final LadderStep NONE = new LadderStep(null, null, "");

  /**
   * Older calls weigh less: so many times the calls that a judgement needs are on trial within a
   * window, or what is left out would come back because nobody measures it.
   */
  private static final double ENOUGH_TRIALS = 1.5;

  private static final double PERCENT = 100;
  private static final int LONGEST_WHY = 160;

  static LadderStep of(
      RebalanceInput input,
      Slices slices,
      Evidence evidence,
      QualitySearch search,
      @Nullable LadderAdvice advice) {
    if (input.policy().rule() != RebalancePolicy.Rule.MAX_QUALITY) {
      return NONE;
    }
    if (input.budget().leaves().nothing()) {
      return advice == null || !advice.lasting()
          ? NONE
          : down(input, slices, evidence, search, advice);
    }
    return back(input, slices, evidence, search);
  }

  /**
   * What comes back where no law is known any more: a whole window has passed since the last move
   * without enough calls of the journeys on trial.
   */
  static Optional<LadderStep> unwatched(RebalanceInput input, Slices slices) {
    Instant last = input.moves().lastAt();
    Instant begin = slices.all().getFirst().from();
    Duration whole = input.policy().window().minus(input.policy().interval().dividedBy(2));
    boolean longEnough =
        (last == null || !begin.isBefore(last))
            && Duration.between(begin, input.now()).compareTo(whole) >= 0;
    if (input.policy().rule() != RebalancePolicy.Rule.MAX_QUALITY
        || input.budget().leaves().nothing()
        || !longEnough) {
      return Optional.empty();
    }
    LadderChange change =
        rungBack(
            input.budget(),
            "fewer than %d calls of journeys on trial in a window: what nobody measures runs"
                .formatted(input.policy().minSamples()));
    return Optional.of(
        new LadderStep(new Proposal(List.of(), change, true, change.why(), ""), null, ""));
  }

  private static LadderStep down(
      RebalanceInput input,
      Slices slices,
      Evidence evidence,
      QualitySearch search,
      LadderAdvice advice) {
    boolean stage = advice.rung() == LadderAdvice.Rung.STAGE;
    String what = (stage ? "skip " : "start at level ") + advice.name();
    if (stage && pinned(input, advice.name())) {
      return not(what, "its cap is pinned");
    }
    double trials = trials(input.policy(), slices);
    double enough = ENOUGH_TRIALS * input.policy().minSamples();
    if (trials < enough) {
      return not(
          what,
          String.format(
              Locale.ROOT,
              "a window has too few questions for the %.0f trials that would notice a recovery",
              enough));
    }
    LadderChange change =
        stage
            ? LadderChange.leavingOut(advice.name(), "")
            : LadderChange.beginning(advice.from(), advice.name(), "");
    JourneyBudget to = change.carriedOut(input.budget());
    Comparison both = Comparison.of(search, evidence, input.budget(), to);
    return both.gain().pays()
        ? carriedOut(change, List.of(), both)
        : not(what, "with the settings in force it is not worth 0.2 point and 2 standard errors");
  }

  private static LadderStep back(
      RebalanceInput input, Slices slices, Evidence evidence, QualitySearch search) {
    LadderChange change = rungBack(input.budget(), "");
    if (evidence.calls() < input.policy().minSamples()) {
      return unwatched(input, slices)
          .orElseGet(
              () ->
                  new LadderStep(
                      null,
                      null,
                      "it waits for the %d calls of journeys on trial that judge whether %s"
                          .formatted(input.policy().minSamples(), change.text())));
    }
    JourneyBudget to = change.carriedOut(input.budget());
    Comparison both = Comparison.of(search, evidence, input.budget(), to);
    if (both.gain().pays()) {
      return carriedOut(change, List.of(), both);
    }
    MaxQuality.Step step = new MaxQuality(to, input.policy(), evidence).step();
    if (step.worthIt()) {
      JourneyBudget moved = CapChange.carriedOut(to, step.changes());
      Comparison after = Comparison.of(search, evidence, input.budget(), moved);
      if (after.gain().pays()) {
        return carriedOut(change, step.changes(), after);
      }
    }
    return new LadderStep(
        null, null, "the journeys on trial are not worth more yet, so nothing comes back");
  }

  /** The level first, one at a time. */
  private static LadderChange rungBack(JourneyBudget budget, String why) {
    int start = budget.startLevel();
    return start > 0
        ? LadderChange.beginning(
            budget.levels().get(start).name(), budget.levels().get(start - 1).name(), why)
        : LadderChange.running(budget.leaves().stages().getLast(), why);
  }

  private static boolean pinned(RebalanceInput input, String stage) {
    RebalancePolicy.CapRange range = input.policy().capRanges().get(stage);
    return range == null || range.pinned();
  }

  private static double trials(RebalancePolicy policy, Slices slices) {
    double questions = 0;
    for (WindowSlice slice : slices.all()) {
      questions += slice.answers().values().stream().mapToDouble(Double::doubleValue).sum();
    }
    double windows = (double) policy.window().toNanos() / policy.interval().toNanos();
    return questions / slices.all().size() * windows * LeftOut.TRIED;
  }

  private static LadderStep not(String what, String why) {
    return new LadderStep(null, null, "the advice to " + what + " is not followed: " + why);
  }

  private static LadderStep carriedOut(
      LadderChange change, List<CapChange> changes, Comparison both) {
    String why =
        String.format(
            Locale.ROOT,
            "full answers %.1f %% → %.1f %%, missed %.1f %% → %.1f %%",
            both.from().full() * PERCENT,
            both.to().full() * PERCENT,
            both.from().miss() * PERCENT,
            both.to().miss() * PERCENT);
    LadderChange told = change.because(why.substring(0, Math.min(why.length(), LONGEST_WHY)));
    return new LadderStep(new Proposal(changes, told, true, why, ""), both.gain(), "");
  }
}
