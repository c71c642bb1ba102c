package dev.ragjourney.pipeline;

/** What ended a call that did not end by itself. The label is the metrics' spelling. */
public enum Cut {
  NONE(""),
  /** The stage's own cap. */
  CAP("cap"),
  /** The journey's time: remaining minus what is held back. */
  DEADLINE("deadline"),
  /** The fallback answered first, or the stages beside it went on without it. */
  LOST("lost"),
  /** Nobody wants its result any more, however good: nothing is said about its time. */
  UNWANTED(""),
  /** The caller went away. */
  CALLER("caller");

  private final String label;

  Cut(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
