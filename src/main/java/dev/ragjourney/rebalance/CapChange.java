package dev.ragjourney.rebalance;

import java.time.Duration;

/**
 * One stage's move.
 *
 * @param knob what moves
 * @param why at most 160 characters, with the figures behind it
 */
public record CapChange(String stage, Moved knob, Duration from, Duration to, String why) {
  /** A move of the cap. */
  public CapChange(String stage, Duration from, Duration to, String why) {
    this(stage, Moved.CAP, from, to, why);
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
