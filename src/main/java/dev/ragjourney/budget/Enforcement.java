package dev.ragjourney.budget;

/** What happens to a stage that overruns its allowance. */
public enum Enforcement {
  /** It is cut. */
  ENFORCE("Enforce"),
  /** It goes on, and what would have been cut is counted; only the deadline's own answer comes. */
  OBSERVE("Observe");

  private final String label;

  Enforcement(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
