package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Searches that ask words of a backend that knows vectors alone, or vectors that nothing makes. */
final class InvalidVectorSearches {
  private static final String BACKENDS =
      """
      budget: {total: 3s}
      documents: {configMap: {name: d}}
      backends:
      - {name: docs, qdrant: {url: "http://qdrant.example:6333", collection: c}}
      """;
  private static final String EMBED = "- {name: embed, type: Embed}\n";
  private static final String GENERATE = "- {name: generate, type: Generate}\n";

  private InvalidVectorSearches() {}

  static List<SpecCase> all() {
    return List.of(
        stages(
            "a vector store needs an Embed",
            "- {name: search, type: Search, backend: docs}\n",
            "[0].backend"),
        stages(
            "a vector store needs an Embed before it, not beside it",
            "- {name: embed, type: Embed, parallel: g}\n"
                + "- {name: search, type: Search, backend: docs, parallel: g}\n"
                + "- {name: more, type: Search}\n",
            "[1].backend"),
        stages(
            "a vector store that stands in needs an Embed",
            "- {name: search, type: Search, fallback: {backend: docs}}\n",
            "[0].fallback.backend"),
        stages(
            "no keyword search starts early on a vector store",
            EMBED + "- {name: search, type: Search, backend: docs, speculative: Keyword}\n",
            "[1].speculative"),
        stages(
            "a vector store stands in for itself with no keyword search",
            EMBED + "- {name: search, type: Search, backend: docs, fallback: {mode: Keyword}}\n",
            "[1].fallback.mode"),
        stages(
            "a vector store stands in for another with no keyword search",
            EMBED + "- {name: search, type: Search, fallback: {backend: docs, mode: Keyword}}\n",
            "[1].fallback.mode"),
        levels(
            "a level does not skip the Embed of a vector store",
            EMBED + "- {name: search, type: Search, backend: docs}\n",
            "skip: [embed]",
            ".skip"),
        levels(
            "a level that goes to a vector store does not skip the Embed",
            EMBED + "- {name: search, type: Search}\n",
            "skip: [embed], stages: [{name: search, backend: docs}]",
            ".skip"),
        levels(
            "a level that goes to a vector store needs an Embed",
            "- {name: search, type: Search}\n",
            "stages: [{name: search, backend: docs}]",
            ".stages[0].backend"),
        levels(
            "the embedded index takes no ef",
            EMBED + "- {name: search, type: Search}\n",
            "stages: [{name: search, ef: 40}]",
            ".stages[0].ef"),
        levels(
            "a level that goes to the embedded index takes no ef",
            EMBED + "- {name: search, type: Search, backend: docs}\n",
            "stages: [{name: search, backend: embedded, ef: 40}]",
            ".stages[0].ef"));
  }

  private static SpecCase stages(String sentence, String stages, String path) {
    return refusedByReader(
        sentence, BACKENDS + "stages:\n" + stages + GENERATE, "spec.stages" + path, "Conflict");
  }

  private static SpecCase levels(String sentence, String stages, String level, String path) {
    return refusedByReader(
        sentence,
        BACKENDS
            + "stages:\n"
            + stages
            + GENERATE
            + "fallbackLevels:\n- {name: full, minRemaining: 1s500ms, "
            + level
            + "}\n- {name: sorry, answer: Static, message: x}\n",
        "spec.fallbackLevels[0]" + path,
        "Conflict");
  }
}
