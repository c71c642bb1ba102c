package dev.ragjourney.telemetry;

/** What became of a question on arrival. The label is the metrics' spelling. */
public enum Admitted {
  /** It started at the best level. */
  FULL("full"),
  /** It started at a lower level because of the load. */
  LOWERED("lowered"),
  /** There was no place for it. */
  REFUSED("refused");

  private final String label;

  Admitted(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
