package dev.ragjourney.rebalance;

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
   * Caps move.
   *
   * @param expected what that is expected to bring; null where no law is known
   */
  record Move(
      String reason,
      String message,
      List<CapChange> changes,
      RoundFigures figures,
      PastMoves.@Nullable Expected expected)
      implements RebalanceDecision {
    public Move {
      changes = List.copyOf(changes);
    }

    /** Without an expectation. */
    public Move(String reason, String message, List<CapChange> changes, RoundFigures figures) {
      this(reason, message, changes, figures, null);
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
