package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a round decided for one journey, always with what it saw. */
public sealed interface RebalanceDecision {
  /** What the round saw. */
  RoundFigures figures();

  /** A condition reason, one of {@link Reasons}. */
  String reason();

  /** For a person: what was seen and what follows. */
  String message();

  /** Caps stay. */
  record Hold(String reason, String message, RoundFigures figures) implements RebalanceDecision {}

  /**
   * Caps move, or what journeys leave out changes.
   *
   * @param ladder what is left out from now on, or comes back; null where that stays
   * @param expected what that is expected to bring; null where no law is known
   */
  record Move(
      String reason,
      String message,
      List<CapChange> changes,
      @Nullable LadderChange ladder,
      RoundFigures figures,
      PastMoves.@Nullable Expected expected)
      implements RebalanceDecision {
    public Move {
      changes = List.copyOf(changes);
    }

    /** Of caps alone. */
    public Move(
        String reason,
        String message,
        List<CapChange> changes,
        RoundFigures figures,
        PastMoves.@Nullable Expected expected) {
      this(reason, message, changes, null, figures, expected);
    }

    /** Of caps alone, without an expectation. */
    public Move(String reason, String message, List<CapChange> changes, RoundFigures figures) {
      this(reason, message, changes, null, figures, null);
    }

    /** The budget with this move in force. */
    public JourneyBudget carriedOut(JourneyBudget budget) {
      JourneyBudget moved = CapChange.carriedOut(budget, changes);
      return ladder == null ? moved : ladder.carriedOut(moved);
    }
  }

  /** Caps stay, by the mode or a pause; the changes are what the rule would do. */
  record Recommend(String reason, String message, List<CapChange> changes, RoundFigures figures)
      implements RebalanceDecision {
    public Recommend {
      changes = List.copyOf(changes);
    }
  }
}
