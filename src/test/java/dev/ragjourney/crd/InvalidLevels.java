package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Ladders that are refused. */
final class InvalidLevels {
  private static final String DOCUMENTS = "documents: {configMap: {name: d}}\n";
  private static final String LEVELS = "budget: {total: 8s}\n" + DOCUMENTS + "fallbackLevels:\n";
  private static final String LEVELS_END = "- {name: sorry, answer: Static, message: later}\n";

  private static final String TOOL =
      """
      budget: {total: 8s}
      documents: {configMap: {name: d}}
      backends: [{name: news, http: {url: "http://news"}}]
      stages:
      - {name: search, type: Search}
      - {name: news, type: Tool, backend: news}
      - {name: generate, type: Generate}
      """;

  private InvalidLevels() {}

  static List<SpecCase> all() {
    return List.of(
        level(
            "levels fall",
            "- {name: full, minRemaining: 3s}\n- {name: fast, minRemaining: 3s}\n" + LEVELS_END,
            "[1].minRemaining",
            "Conflict"),
        level("the last level is static", "- {name: full, minRemaining: 3s}\n", "[0]", "Conflict"),
        level("the first level runs the stages", LEVELS_END, "[0]", "Conflict"),
        level(
            "nothing comes after a static answer",
            "- {name: full, minRemaining: 3s}\n- {name: oops, answer: Static, message: x}\n"
                + LEVELS_END,
            "[2]",
            "Conflict"),
        level(
            "a cached answer comes before the static one",
            "- {name: full, minRemaining: 3s}\n- {name: sorry, answer: Static, message: x}\n- {name: cached, answer: SemanticCache}\n",
            "[2]",
            "Conflict"),
        level(
            "levels with answer come last",
            "- {name: full, minRemaining: 3s}\n- {name: cached, answer: SemanticCache}\n- {name: fast, minRemaining: 1s}\n"
                + LEVELS_END,
            "[2]",
            "Conflict"),
        level(
            "level names are unique",
            "- {name: sorry, minRemaining: 3s}\n" + LEVELS_END,
            "[1].name",
            "Duplicate"),
        level(
            "a level has a threshold or an answer",
            "- {name: full}\n" + LEVELS_END,
            "[0]",
            "Conflict"),
        level(
            "a level has not both threshold and answer",
            "- {name: full, minRemaining: 3s}\n- {name: sorry, minRemaining: 1s, answer: Static, message: x}\n",
            "[1]",
            "Conflict"),
        level(
            "a static answer has a message",
            "- {name: full, minRemaining: 3s}\n- {name: sorry, answer: Static}\n",
            "[1].message",
            "Required"),
        level(
            "only a static answer has a message",
            "- {name: full, minRemaining: 3s, message: x}\n" + LEVELS_END,
            "[0].message",
            "Conflict"),
        level(
            "similarity is for the cache",
            "- {name: full, minRemaining: 3s, minSimilarity: 90%}\n" + LEVELS_END,
            "[0].minSimilarity",
            "Conflict"),
        level(
            "a level with answer runs no stages",
            "- {name: full, minRemaining: 3s}\n- {name: sorry, answer: Static, message: x, skip: [rerank]}\n",
            "[1]",
            "Conflict"),
        level(
            "a threshold is below the total",
            "- {name: full, minRemaining: 8s}\n" + LEVELS_END,
            "[0].minRemaining",
            "Conflict"),
        level(
            "a stage's threshold is below the total",
            "- {name: full, minRemaining: 3s, stages: [{name: generate, minRemaining: 9s}]}\n"
                + LEVELS_END,
            "[0].stages[0].minRemaining",
            "Conflict"),
        level(
            "a skipped stage exists",
            "- {name: full, minRemaining: 3s, skip: [rewrite]}\n" + LEVELS_END,
            "[0].skip[0]",
            "UnknownName"),
        level(
            "Generate is never skipped",
            "- {name: full, minRemaining: 3s, skip: [generate]}\n" + LEVELS_END,
            "[0].skip[0]",
            "Conflict"),
        level(
            "a stage is skipped once",
            "- {name: full, minRemaining: 3s, skip: [rerank, rerank]}\n" + LEVELS_END,
            "[0].skip[1]",
            "Duplicate"),
        level(
            "a changed stage exists",
            "- {name: full, minRemaining: 3s, stages: [{name: rewrite, topK: 3}]}\n" + LEVELS_END,
            "[0].stages[0].name",
            "UnknownName"),
        level(
            "a stage is changed once",
            "- {name: full, minRemaining: 3s, stages: [{name: search, topK: 3}, {name: search, topK: 4}]}\n"
                + LEVELS_END,
            "[0].stages[1].name",
            "Duplicate"),
        level(
            "a skipped stage is not changed",
            "- {name: full, minRemaining: 3s, skip: [search], stages: [{name: search, topK: 3}]}\n"
                + LEVELS_END,
            "[0].stages[0]",
            "Conflict"),
        level(
            "a changed stage's backend exists",
            "- {name: full, minRemaining: 3s, stages: [{name: search, backend: docs}]}\n"
                + LEVELS_END,
            "[0].stages[0].backend",
            "UnknownName"),
        level(
            "a stage's floor at a level is below the total",
            "- {name: full, minRemaining: 3s, stages: [{name: generate, floor: 9s}]}\n"
                + LEVELS_END,
            "[0].stages[0].floor",
            "Conflict"),
        level(
            "a skipped stage is not null",
            "- {name: full, minRemaining: 3s, skip: [null]}\n" + LEVELS_END,
            "[0].skip[0]",
            "InvalidValue"),
        refusedByReader(
            "one level answers from the semantic cache, not two",
            LEVELS
                + "- {name: full, minRemaining: 3s}\n- {name: near, answer: SemanticCache}\n"
                + "- {name: far, answer: SemanticCache, minSimilarity: 80%}\n"
                + LEVELS_END,
            "spec.fallbackLevels[2].answer",
            "Conflict"),
        refusedByReader(
            "a semantic cache is there for something",
            "semanticCache: {ttl: 2h}\n"
                + LEVELS
                + "- {name: full, minRemaining: 3s}\n"
                + LEVELS_END,
            "spec.semanticCache",
            "Conflict"),
        refusedByReader(
            "a cache is filled by a level without tools",
            TOOL
                + "semanticCache: {}\nfallbackLevels:\n- {name: full, minRemaining: 3s}\n"
                + "- {name: fast, minRemaining: 2s}\n- {name: plain, minRemaining: 1s, skip: [news]}\n"
                + "- {name: cached, answer: SemanticCache}\n"
                + LEVELS_END,
            "spec.semanticCache",
            "Conflict"),
        refusedByReader(
            "a level that answers from the cache is filled by one without tools",
            TOOL
                + "fallbackLevels:\n- {name: full, minRemaining: 3s}\n"
                + "- {name: cached, answer: SemanticCache}\n"
                + LEVELS_END,
            "spec.fallbackLevels",
            "Conflict"),
        refusedByReader(
            "the default levels leave no required tool out",
            TOOL + "semanticCache: {}\n",
            "spec.semanticCache",
            "Conflict"),
        meaningless("generate", "topK: 3", "topK"),
        meaningless("generate", "ef: 40", "ef"),
        meaningless("search", "maxTokens: 3", "maxTokens"),
        meaningless("search", "maxContextTokens: 3", "maxContextTokens"),
        meaningless("search", "instructions: x", "instructions"),
        meaningless("search", "reasoningEffort: low", "reasoningEffort"));
  }

  private static SpecCase meaningless(String stage, String field, String path) {
    return refusedByReader(
        "a level does not give " + path + " to " + stage,
        LEVELS
            + "- {name: full, minRemaining: 3s, stages: [{name: %s, %s}]}\n".formatted(stage, field)
            + LEVELS_END,
        "spec.fallbackLevels[0].stages[0]." + path,
        "Conflict");
  }

  private static SpecCase level(String sentence, String levels, String path, String reason) {
    return refused(sentence, LEVELS + levels, "spec.fallbackLevels" + path, reason);
  }
}
