package dev.ragjourney.budget;

/** The moment to which the budget is counted. */
public enum CountTo {
  /** The first content token; after it only the stream's own limits hold. */
  FIRST_TOKEN("FirstToken"),
  /** The last token; reading stops a margin before the deadline. */
  LAST_TOKEN("LastToken");

  private final String label;

  CountTo(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
