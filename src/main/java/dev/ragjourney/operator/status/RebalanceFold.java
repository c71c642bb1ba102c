package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.crd.status.RecommendationStatus;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.RebalanceDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code status.rebalance}: the last move as the plan's ConfigMap records it, and those before. */
final class RebalanceFold {
  private static final int MOVES = 10;
  private static final int CHANGES = 8;
  private static final int LONGEST_MESSAGE = 300;

  /** A gain in shares of answers that is worth showing. */
  private static final double MUCH = 0.01;

  private static final double PERCENT = 100;
  private static final RebalanceStatus NOTHING =
      new RebalanceStatus(null, null, null, null, null, null);

  private RebalanceFold() {}

  static @Nullable RebalanceStatus status(
      @Nullable RebalanceStatus last,
      @Nullable LastMove move,
      @Nullable Round round,
      @Nullable Plan plan,
      String rule) {
    RebalanceStatus before = Objects.requireNonNullElse(last, NOTHING);
    RebalanceStatus after =
        new RebalanceStatus(
            move == null ? before.lastMove() : move.time(),
            reason(before, round),
            move == null ? before.changes() : limited(move.changes()),
            history(before, move),
            recommendation(before, round, rule),
            AdviceFold.advice(before.advice(), round, plan));
    return after.equals(NOTHING) ? null : after;
  }

  private static @Nullable String reason(RebalanceStatus before, @Nullable Round round) {
    return round == null ? before.reason() : round.decision().reason();
  }

  private static @Nullable List<RebalanceMove> history(
      RebalanceStatus before, @Nullable LastMove move) {
    List<RebalanceMove> shown = Objects.requireNonNullElse(before.history(), List.of());
    if (move == null || (!shown.isEmpty() && move.time().equals(shown.getFirst().time()))) {
      return before.history();
    }
    List<RebalanceMove> history = new ArrayList<>();
    history.add(
        new RebalanceMove(
            move.time(),
            move.reason(),
            move.rule(),
            shortened(move.message()),
            limited(move.changes()),
            move.ladder()));
    history.addAll(shown);
    return history.stream().limit(MOVES).toList();
  }

  private static @Nullable String shortened(@Nullable String message) {
    return message == null || message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE);
  }

  private static @Nullable RecommendationStatus recommendation(
      RebalanceStatus before, @Nullable Round round, String rule) {
    if (round == null) {
      return before.recommendation();
    }
    RecommendationStatus shown = before.recommendation();
    Forecasts forecasts = round.decision().figures().forecasts();
    if (round.decision() instanceof RebalanceDecision.Recommend recommend) {
      Forecast own =
          forecasts == null
              ? null
              : forecasts.rules().stream()
                  .filter(of -> of.rule().label().equals(rule))
                  .map(Forecasts.OfRule::forecast)
                  .findFirst()
                  .orElse(null);
      return recommended(shown, rule, own, recommend.message(), recommend.changes());
    }
    return forecasts == null ? null : otherRule(shown, forecasts, rule);
  }

  /** What the other rule would gain, where that is much. */
  private static @Nullable RecommendationStatus otherRule(
      @Nullable RecommendationStatus shown, Forecasts forecasts, String rule) {
    Forecast now = forecasts.inForce();
    for (Forecasts.OfRule other : forecasts.rules()) {
      Forecast then = other.forecast();
      double gain = Math.max(then.full() - now.full(), now.miss() - then.miss());
      double worthShowing = shown == null ? MUCH : MUCH / 2;
      if (!other.rule().label().equals(rule) && gain >= worthShowing) {
        String message =
            String.format(
                Locale.ROOT,
                "the next step of rule %s would give %.1f %% full and %.1f %% missed answers, "
                    + "the caps in force give %.1f %% and %.1f %%",
                other.rule().label(),
                then.full() * PERCENT,
                then.miss() * PERCENT,
                now.full() * PERCENT,
                now.miss() * PERCENT);
        return recommended(shown, other.rule().label(), then, message, other.changes());
      }
    }
    return null;
  }

  private static RecommendationStatus recommended(
      @Nullable RecommendationStatus shown,
      String rule,
      @Nullable Forecast forecast,
      String message,
      List<CapChange> changes) {
    return new RecommendationStatus(
        rule,
        Steady.share(
            shown == null ? null : shown.fullRatio(), forecast == null ? null : forecast.full()),
        Steady.message(shown == null ? null : shown.message(), message, Steady.POINT),
        steady(
            shown == null ? null : shown.changes(),
            changes.stream().map(LastMove::change).toList()));
  }

  /** The changes that are shown, as long as the new ones propose nearly the same caps. */
  private static List<CapChangeStatus> steady(
      @Nullable List<CapChangeStatus> shown, List<CapChangeStatus> now) {
    List<CapChangeStatus> limited = limited(now);
    if (shown == null || shown.size() != limited.size()) {
      return limited;
    }
    for (int i = 0; i < limited.size(); i++) {
      CapChangeStatus before = shown.get(i);
      CapChangeStatus after = limited.get(i);
      if (!Objects.equals(before.stage(), after.stage())
          || !Objects.equals(before.knob(), after.knob())
          || !Objects.equals(before.from(), after.from())
          || !Objects.equals(
              before.to(), Steady.duration(before.to(), Durations.parse(to(after))))) {
        return limited;
      }
    }
    return shown;
  }

  private static String to(CapChangeStatus change) {
    return Objects.requireNonNull(change.to(), "a change says what it changes to");
  }

  private static List<CapChangeStatus> limited(List<CapChangeStatus> changes) {
    return changes.stream().limit(CHANGES).toList();
  }
}
