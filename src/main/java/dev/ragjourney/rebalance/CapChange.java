package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stage's move.
 *
 * @param knob what moves
 * @param why at most 160 characters, with the figures behind it and the limit that ended it
 * @param samples calls of the stage that it was decided on; null where that is not said
 */
public record CapChange(
    String stage, Moved knob, Duration from, Duration to, String why, @Nullable Long samples) {
  /** A move of the cap. */
  public CapChange(String stage, Duration from, Duration to, String why) {
    this(stage, Moved.CAP, from, to, why);
  }

  public CapChange(String stage, Moved knob, Duration from, Duration to, String why) {
    this(stage, knob, from, to, why, null);
  }

  CapChange withSamples(long calls) {
    return new CapChange(stage, knob, from, to, why, calls);
  }

  /** The budget with these changes in force. */
  public static JourneyBudget carriedOut(JourneyBudget budget, List<CapChange> changes) {
    List<StageBudget> stages = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      StageBudget moved = stage;
      for (CapChange change : changes) {
        if (change.stage().equals(stage.name())) {
          moved =
              change.knob() == Moved.CAP
                  ? moved.withCap(change.to())
                  : moved.withHoldBack(change.to());
        }
      }
      stages.add(moved);
    }
    return budget.withStages(stages);
  }

  /** What a move is of. */
  public enum Moved {
    /** The stage's cap. */
    CAP("Cap"),
    /** What the stage leaves to those after it. */
    HOLD_BACK("HoldBack");

    private final String label;

    Moved(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
