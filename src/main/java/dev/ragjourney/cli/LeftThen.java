package dev.ragjourney.cli;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.crd.status.LadderChangeStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.rebalance.LadderChange;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What journeys left out in the past, as far as the moves that status remembers tell. */
final class LeftThen {
  private LeftThen() {}

  /**
   * @param now with what is left out today
   */
  static JourneyBudget at(Instant time, JourneyBudget now, @Nullable RagJourneyStatus status) {
    List<RebalanceMove> moves =
        status == null || status.rebalance() == null ? null : status.rebalance().history();
    JourneyBudget then = now;
    for (RebalanceMove move : Objects.requireNonNullElse(moves, List.<RebalanceMove>of())) {
      LadderChangeStatus change = move.ladder();
      if (change != null && after(move.time(), time)) {
        then =
            new LadderChange(change.stage(), "" + change.to(), "" + change.from(), "")
                .carriedOut(then);
      }
    }
    return then;
  }

  private static boolean after(@Nullable String move, Instant time) {
    try {
      return move != null && Instant.parse(move).isAfter(time);
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** For people; null where nothing is left out. */
  static @Nullable String note(JourneyBudget budget) {
    if (budget.leaves().nothing()) {
      return null;
    }
    String stages = String.join(", ", budget.leaves().stages());
    String are = budget.leaves().stages().size() > 1 ? " are" : " is";
    String level = budget.leaves().startLevel();
    return (stages.isEmpty() ? "" : stages + are + " left out")
        + (stages.isEmpty() || level == null ? "" : ", and ")
        + (level == null ? "" : "journeys begin at level " + level)
        + "; %s of them leave nothing out, to notice when that serves better again"
            .formatted(Shown.percent(budget.leaves().trialShare()));
  }
}
