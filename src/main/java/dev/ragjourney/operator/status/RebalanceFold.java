package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.crd.status.RecommendationStatus;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.RebalanceDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code status.rebalance}: the last move as the plan's ConfigMap records it, and those before. */
final class RebalanceFold {
  private static final int MOVES = 10;
  private static final int CHANGES = 8;
  private static final RebalanceStatus NOTHING = new RebalanceStatus(null, null, null, null, null);

  private RebalanceFold() {}

  static @Nullable RebalanceStatus status(
      @Nullable RebalanceStatus last, @Nullable LastMove move, @Nullable Round round, String rule) {
    RebalanceStatus before = Objects.requireNonNullElse(last, NOTHING);
    RebalanceStatus after =
        new RebalanceStatus(
            move == null ? before.lastMove() : move.time(),
            reason(before, round),
            move == null ? before.changes() : limited(move.changes()),
            history(before, move),
            recommendation(before, round, rule));
    return after.equals(NOTHING) ? null : after;
  }

  private static @Nullable String reason(RebalanceStatus before, @Nullable Round round) {
    return round == null ? before.reason() : round.decision().reason();
  }

  private static @Nullable List<RebalanceMove> history(
      RebalanceStatus before, @Nullable LastMove move) {
    boolean isNew = move != null && !move.time().equals(before.lastMove());
    if (!isNew || before.lastMove() == null) {
      return before.history();
    }
    List<RebalanceMove> history = new ArrayList<>();
    history.add(new RebalanceMove(before.lastMove(), "Rebalanced", before.changes()));
    history.addAll(Objects.requireNonNullElse(before.history(), List.of()));
    return history.stream().limit(MOVES).toList();
  }

  private static @Nullable RecommendationStatus recommendation(
      RebalanceStatus before, @Nullable Round round, String rule) {
    if (round == null) {
      return before.recommendation();
    }
    if (!(round.decision() instanceof RebalanceDecision.Recommend recommend)) {
      return null;
    }
    RecommendationStatus shown = before.recommendation();
    return new RecommendationStatus(
        rule,
        null,
        Steady.message(shown == null ? null : shown.message(), recommend.message()),
        steady(
            shown == null ? null : shown.changes(),
            recommend.changes().stream().map(RebalanceFold::change).toList()));
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

  private static CapChangeStatus change(CapChange change) {
    return new CapChangeStatus(
        change.stage(),
        Durations.formatRounded(change.from()),
        Durations.formatRounded(change.to()),
        change.why());
  }

  private static List<CapChangeStatus> limited(List<CapChangeStatus> changes) {
    return changes.stream().limit(CHANGES).toList();
  }
}
