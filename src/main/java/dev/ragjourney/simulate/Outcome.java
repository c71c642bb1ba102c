package dev.ragjourney.simulate;

/** How good an answer is; the label is the metrics' spelling. */
enum Outcome {
  FULL("full"),
  DEGRADED("degraded"),
  STATIC("static"),
  LATE("late"),
  ERROR("error");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  boolean missed() {
    return this != FULL && this != DEGRADED;
  }
}
