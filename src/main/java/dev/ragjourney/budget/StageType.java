package dev.ragjourney.budget;

/** What a stage does. The label is the spelling in the resource, in the plan and in the docs. */
public enum StageType {
  REWRITE("Rewrite"),
  EMBED("Embed"),
  SEARCH("Search"),
  RERANK("Rerank"),
  GENERATE("Generate"),
  TOOL("Tool");

  private final String label;

  StageType(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
