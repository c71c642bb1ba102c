package dev.ragjourney.rebalance;

import java.util.List;

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

  /** Caps move. */
  record Move(String reason, String message, List<CapChange> changes, RoundFigures figures)
      implements RebalanceDecision {
    public Move {
      changes = List.copyOf(changes);
    }
  }

  /** Caps stay, as the mode is Recommend; the changes are what the rule would do. */
  record Recommend(String reason, String message, List<CapChange> changes, RoundFigures figures)
      implements RebalanceDecision {
    public Recommend {
      changes = List.copyOf(changes);
    }
  }
}
