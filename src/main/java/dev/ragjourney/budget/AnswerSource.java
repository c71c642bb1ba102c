package dev.ragjourney.budget;

/** Where a level's answer comes from. */
public enum AnswerSource {
  /** The stages run, some skipped or in a cheaper form. */
  STAGES("Stages"),
  /** The nearest earlier question's answer. */
  SEMANTIC_CACHE("SemanticCache"),
  /** The declared message. */
  STATIC("Static");

  private final String label;

  AnswerSource(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
