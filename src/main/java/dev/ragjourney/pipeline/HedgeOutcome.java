package dev.ragjourney.pipeline;

/** What came of the second copy of a slow call. The label is the metrics' spelling. */
public enum HedgeOutcome {
  /** It answered first. */
  WON("won"),
  /** The first copy answered, or neither did. */
  LOST("lost"),
  /** It was due and not made: too many at once, too large a share, or the backend is full. */
  LIMITED("limited");

  private final String label;

  HedgeOutcome(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
