package dev.ragjourney.crd;

import java.util.List;

/** Specs that another order of the same elements makes invalid. */
final class ReorderedSpecs {
  /**
   * @param path where both the reader and a server find it
   */
  record Row(String sentence, String before, String after, String path) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  private static final String REST =
      "budget: {total: 3s}\ndocuments: {configMap: {name: d}}\n"
          + "backends:\n- {name: llm, openai: {url: \"http://llm.example/v1\", model: m}}\n";

  private static final String FULL = "- {name: full, minRemaining: 1s500ms}\n";
  private static final String FAST = "- {name: fast, minRemaining: 1s}\n";
  private static final String SORRY = "- {name: sorry, answer: Static, message: later}\n";

  private static final String REWRITE =
      "- {name: rewrite, type: Rewrite, optional: true, backend: llm, parallel: ready}\n";
  private static final String EMBED = "- {name: embed, type: Embed, parallel: ready}\n";
  private static final String SEARCH = "- {name: search, type: Search}\n";
  private static final String RERANK = "- {name: rerank, type: Rerank, optional: true}\n";
  private static final String GENERATE = "- {name: generate, type: Generate}\n";

  private ReorderedSpecs() {}

  static List<Row> all() {
    return List.of(
        levels("a better level after a cheaper one", FAST + FULL + SORRY),
        levels("the static level before others", SORRY + FULL + FAST),
        levels("the static level in the middle", FULL + SORRY + FAST),
        stages(
            "generate before a stage that it needs", REWRITE + EMBED + SEARCH + GENERATE + RERANK),
        stages("neighbours that are none any more", REWRITE + SEARCH + EMBED + RERANK + GENERATE),
        stages("generate first", GENERATE + REWRITE + EMBED + SEARCH + RERANK));
  }

  private static Row levels(String sentence, String after) {
    return new Row(
        sentence,
        REST + "fallbackLevels:\n" + FULL + FAST + SORRY,
        REST + "fallbackLevels:\n" + after,
        "spec.fallbackLevels");
  }

  private static Row stages(String sentence, String after) {
    return new Row(
        sentence,
        REST + "stages:\n" + REWRITE + EMBED + SEARCH + RERANK + GENERATE,
        REST + "stages:\n" + after,
        "spec.stages");
  }
}
