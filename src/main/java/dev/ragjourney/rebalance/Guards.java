package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.PastMoves.Expected;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of what a rule asks for: the mode and a pause, then the last move's judgement, a
 * cold start, the cooldown and the moves of the last hour.
 */
record Guards(RebalanceInput input, Slices slices, RoundFigures figures) {
  /** The first move of a journey waits for so many questions, or for a whole window of fewer. */
  static final int COLD_START = 200;

  private static final String PAUSED = "rebalancing is paused";

  RebalanceDecision held(Verdict verdict) {
    String message = "caps stay: " + verdict.message();
    return switch (input.policy().mode()) {
      case DISABLED -> disabled();
      case AUTO -> input.paused() ? hold(Reasons.PAUSED, PAUSED) : hold(verdict.reason(), message);
      case RECOMMEND -> hold(verdict.reason(), message);
    };
  }

  /**
   * @param expected what the proposal is expected to bring; null where no law is known
   */
  RebalanceDecision decide(Proposal proposal, Hindsight hindsight, @Nullable Expected expected) {
    return switch (input.policy().mode()) {
      case DISABLED -> disabled();
      case RECOMMEND ->
          proposal.moves()
              ? recommend(Reasons.RECOMMENDING, proposal.text(), proposal.changes())
              : hold(Reasons.IN_BALANCE, proposal.whyNot());
      case AUTO -> input.paused() ? paused(proposal) : auto(proposal, hindsight, expected);
    };
  }

  private RebalanceDecision auto(
      Proposal proposal, Hindsight hindsight, @Nullable Expected expected) {
    if (hindsight instanceof Hindsight.Worse(var changes, var ladder, String both, Expected gain)) {
      return new RebalanceDecision.Move(
          Reasons.ROLLED_BACK,
          "the last move is taken back: " + Ledger.summary(changes, ladder) + "; " + both,
          changes,
          ladder,
          figures,
          gain);
    }
    if (!proposal.moves()) {
      return hold(Reasons.IN_BALANCE, proposal.whyNot());
    }
    return tooSoon()
        .or(() -> unjudged(hindsight))
        .orElseGet(
            () ->
                new RebalanceDecision.Move(
                    Reasons.REBALANCED,
                    proposal.text(),
                    proposal.changes(),
                    proposal.ladder(),
                    figures,
                    expected));
  }

  private Optional<RebalanceDecision> unjudged(Hindsight hindsight) {
    return hindsight instanceof Hindsight.TooEarly
        ? Optional.of(
            hold(
                Reasons.JUDGING_LAST_MOVE,
                "caps stay until every stage has the "
                    + input.policy().minSamples()
                    + " calls since the last move that judge it"))
        : Optional.empty();
  }

  private Optional<RebalanceDecision> tooSoon() {
    PastMoves moves = input.moves();
    RebalancePolicy policy = input.policy();
    if (moves.last() == null && cold()) {
      return Optional.of(
          hold(
              Reasons.COLD_START,
              "caps stay: the first move waits for "
                  + COLD_START
                  + " questions, or for a whole window"));
    }
    Instant lastAt = moves.lastAt();
    Duration cooldown = moves.cooldown(policy);
    if (lastAt != null && input.now().isBefore(lastAt.plus(cooldown))) {
      return Optional.of(
          hold(
              Reasons.COOLING_DOWN,
              "caps stay until "
                  + lastAt.plus(cooldown)
                  + ", a cooldown after the last move"
                  + (moves.cooldown() == null ? "" : " that is longer after a rollback")));
    }
    List<Instant> withinHour =
        moves.recent().stream()
            .filter(at -> at.isAfter(input.now().minus(PastMoves.HOUR)))
            .sorted()
            .toList();
    int most = policy.maxMovesPerHour();
    if (withinHour.size() >= most) {
      Instant free = withinHour.get(withinHour.size() - most).plus(PastMoves.HOUR);
      return Optional.of(
          hold(
              Reasons.MAX_MOVES_PER_HOUR,
              String.format(
                  Locale.ROOT, "caps stay until %s: no more than %d moves an hour", free, most)));
    }
    return Optional.empty();
  }

  private boolean cold() {
    double questions =
        input.budget().stages().stream()
            .mapToDouble(stage -> slices.wholeWindow(stage).journeys())
            .max()
            .orElse(0);
    Duration span = Duration.between(slices.all().getFirst().from(), input.now());
    Duration whole = input.policy().window().minus(input.policy().interval().dividedBy(2));
    return questions < COLD_START && span.compareTo(whole) < 0;
  }

  private RebalanceDecision paused(Proposal proposal) {
    return proposal.moves()
        ? recommend(Reasons.PAUSED, PAUSED + "; it would: " + proposal.text(), proposal.changes())
        : hold(Reasons.PAUSED, PAUSED + "; " + proposal.whyNot());
  }

  private RebalanceDecision disabled() {
    return hold(Reasons.DISABLED, "rebalancing is switched off");
  }

  private RebalanceDecision hold(String reason, String message) {
    return new RebalanceDecision.Hold(reason, message, figures);
  }

  private RebalanceDecision recommend(String reason, String message, List<CapChange> changes) {
    return new RebalanceDecision.Recommend(reason, message, changes, figures);
  }
}
