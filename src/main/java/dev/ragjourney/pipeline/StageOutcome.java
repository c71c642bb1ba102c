package dev.ragjourney.pipeline;

/** How a stage's primary call ended. The label is the metrics' spelling. */
public enum StageOutcome {
  SUCCESS("success"),
  /** An answer, less than it should be: the backend said so, or a fallback gave it. */
  DEGRADED("degraded"),
  TIMEOUT("timeout"),
  ERROR("error"),
  /**
   * Ended because nobody wanted it any more: the caller left, or another stage failed the journey.
   */
  CANCELLED("cancelled");

  private final String label;

  StageOutcome(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
