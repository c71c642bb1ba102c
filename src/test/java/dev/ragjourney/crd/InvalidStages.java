package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.ArrayList;
import java.util.List;

/** Single stages that are refused, and lists of stages. */
final class InvalidStages {
  private static final String DOCUMENTS = "documents: {configMap: {name: d}}\n";
  private static final String STAGES = "budget: {total: 3s}\n" + DOCUMENTS + "stages:\n";
  private static final String STAGES_END = "- {name: generate, type: Generate}\n";

  private InvalidStages() {}

  static List<SpecCase> all() {
    List<SpecCase> all = new ArrayList<>();
    all.addAll(stages());
    all.addAll(stageLists());
    return List.copyOf(all);
  }

  private static List<SpecCase> stages() {
    return List.of(
        search("a negative cap is refused", "cap: -1s", "cap", "InvalidValue"),
        search("a zero cap is refused", "cap: 0s", "cap", "InvalidValue"),
        search("a cap of decimals is refused", "cap: 1.5s", "cap", "InvalidValue"),
        search("a cap is at most the total", "cap: 3s1ms", "cap", "Conflict"),
        search("a floor is at most the cap", "cap: 1s, floor: 2s", "floor", "Conflict"),
        search(
            "fail-over comes before the cut",
            "cap: 1s, degradeAfter: 1s",
            "degradeAfter",
            "Conflict"),
        search(
            "the median is not above the p95",
            "expected: {p50: 2s, p95: 1s}",
            "expected.p50",
            "Conflict"),
        search(
            "a cap range is not turned round",
            "capRange: {min: 2s, max: 1s}",
            "capRange.min",
            "Conflict"),
        search(
            "the cap lies above the least of its range",
            "cap: 1s, capRange: {min: 2s}",
            "capRange.min",
            "Conflict"),
        search(
            "the cap lies below the most of its range",
            "cap: 1s, capRange: {max: 900ms}",
            "cap",
            "Conflict"),
        search(
            "a floor lies below the most of the cap's range",
            "floor: 1s, capRange: {max: 900ms}",
            "floor",
            "Conflict"),
        search(
            "a cap range ends at the total",
            "cap: 1s, capRange: {max: 4s}",
            "capRange.max",
            "Conflict"),
        search("a search cannot be optional", "optional: true", "optional", "Conflict"),
        search("topK is at least 1", "topK: 0", "topK", "InvalidValue"),
        search("topK is at most 1000", "topK: 1001", "topK", "InvalidValue"),
        search("a search has no prompt", "prompt: {instructions: x}", "prompt", "Conflict"),
        search("a search has no maxTokens", "maxTokens: 5", "maxTokens", "Conflict"),
        search(
            "a search has no context of its own",
            "maxContextTokens: 5",
            "maxContextTokens",
            "Conflict"),
        search(
            "only Generate knows what to do without context",
            "whenNoContext: Tell",
            "whenNoContext",
            "Conflict"),
        search(
            "a fallback is another call than the primary", "fallback: {}", "fallback", "Conflict"),
        search(
            "a fallback's cap is at most the total",
            "fallback: {mode: Keyword, cap: 4s}",
            "fallback.cap",
            "Conflict"),
        search(
            "what a fallback needs is at most the total",
            "fallback: {mode: Keyword, minRemaining: 4s}",
            "fallback.minRemaining",
            "Conflict"),
        search(
            "an attempt is not longer than the cap",
            "cap: 1s, retry: {attemptCaps: [2s]}",
            "retry.attemptCaps[0]",
            "Conflict"),
        search(
            "an attempt takes some time",
            "retry: {attemptCaps: [0s]}",
            "retry.attemptCaps[0]",
            "InvalidValue"),
        search(
            "a wait between attempts is not turned round",
            "retry: {attemptCaps: [1s], backoff: {min: 2s, max: 1s}}",
            "retry.backoff.min",
            "Conflict"),
        search(
            "a second copy does not start at the cut",
            "cap: 1s, hedge: {after: 1s}",
            "hedge.after",
            "Conflict"),
        search(
            "a second copy does not start when the first attempt is cut",
            "retry: {attemptCaps: [300ms, 1s]}, hedge: {after: 300ms}",
            "hedge.after",
            "Conflict"),
        search(
            "a breaker needs a slow call to open",
            "breaker: {slowRatio: 0%}",
            "breaker.slowRatio",
            "Conflict"),
        search(
            "a breaker needs a failed call to open",
            "breaker: {errorRatio: 0.00%}",
            "breaker.errorRatio",
            "Conflict"),
        search(
            "a breaker looks at a call at least",
            "breaker: {window: 0}",
            "breaker.window",
            "InvalidValue"),
        search(
            "an open breaker stays open for some time",
            "breaker: {probeAfter: 0s}",
            "breaker.probeAfter",
            "InvalidValue"),
        search(
            "there is an attempt at least",
            "retry: {attemptCaps: []}",
            "retry.attemptCaps",
            "InvalidValue"),
        search(
            "a share of further attempts is a percentage",
            "retry: {attemptCaps: [1s], maxRatio: 20}",
            "retry.maxRatio",
            "InvalidValue"),
        search(
            "a second copy starts before the cut",
            "cap: 1s, hedge: {after: 2s}",
            "hedge.after",
            "Conflict"),
        search(
            "a second copy starts before the first attempt is cut",
            "retry: {attemptCaps: [300ms, 1s]}, hedge: {after: 500ms}",
            "hedge.after",
            "Conflict"),
        refused(
            "a rewrite has nothing to say about missing context",
            STAGES
                + "- {name: rewrite, type: Rewrite, backend: llm, prompt: {noContextInstructions: x}}\n- {name: search, type: Search}\n"
                + STAGES_END
                + "backends:\n- {name: llm, openai: {url: \"http://llm.example/v1\", model: m}}\n",
            "spec.stages[0].prompt.noContextInstructions",
            "Conflict"),
        search("a stage's type is one of six", "type: Serach", "type", "InvalidValue"),
        stage("topK means nothing to Generate", "topK: 3", "topK", "Conflict"),
        stage("speculative is for a search", "speculative: Keyword", "speculative", "Conflict"),
        stage("Generate cannot be optional", "optional: true", "optional", "Conflict"),
        stage("a hedge is for safe reads", "hedge: {after: 1s}", "hedge", "Conflict"),
        stage(
            "a keyword fallback is for a search",
            "fallback: {mode: Keyword}",
            "fallback.mode",
            "Conflict"),
        stage(
            "a range needs a cap where Generate takes what remains",
            "capRange: {min: 1s}",
            "capRange",
            "Conflict"),
        stage(
            "instructions are given once",
            "prompt: {instructions: x, instructionsFrom: {configMapKeyRef: {name: a, key: b}}}",
            "prompt",
            "Conflict"),
        refused(
            "a rewrite needs a backend",
            STAGES
                + "- {name: rewrite, type: Rewrite, optional: true}\n- {name: search, type: Search}\n"
                + STAGES_END,
            "spec.stages[0].backend",
            "Conflict"));
  }

  private static List<SpecCase> stageLists() {
    return List.of(
        refused("there is at least one stage", STAGES + "  []", "spec.stages", "InvalidValue"),
        refused(
            "stage names are unique",
            STAGES + "- {name: search, type: Search}\n- {name: search, type: Generate}\n",
            "spec.stages[1].name",
            "Duplicate"),
        refused(
            "a stage's name begins with a letter",
            STAGES + "- {name: 1search, type: Search}\n" + STAGES_END,
            "spec.stages[0].name",
            "InvalidValue"),
        refused(
            "a stage's name has at most 40 characters",
            STAGES + "- {name: " + "a".repeat(41) + ", type: Search}\n" + STAGES_END,
            "spec.stages[0].name",
            "InvalidValue"),
        refused(
            "there is a Generate stage",
            STAGES + "- {name: search, type: Search}\n",
            "spec.stages",
            "Conflict"),
        refused(
            "there is one Generate stage",
            STAGES
                + "- {name: search, type: Search}\n- {name: again, type: Generate}\n"
                + STAGES_END,
            "spec.stages",
            "Conflict"),
        refused(
            "Generate is the last",
            STAGES + STAGES_END + "- {name: search, type: Search}\n",
            "spec.stages[0]",
            "Conflict"),
        refused(
            "a Tool after Generate needs the whole answer",
            STAGES
                + "- {name: search, type: Search}\n"
                + STAGES_END
                + "- {name: format, type: Tool, backend: tool}\nbackends:\n- {name: tool, http: {url: \"http://t.example/\"}}\n",
            "spec.stages[2]",
            "Conflict"),
        refusedByReader(
            "a rerank comes after a search",
            STAGES
                + "- {name: rerank, type: Rerank}\n- {name: search, type: Search}\n"
                + STAGES_END,
            "spec.stages[0]",
            "Conflict"),
        refusedByReader(
            "an embedding comes before the search",
            STAGES + "- {name: search, type: Search}\n- {name: embed, type: Embed}\n" + STAGES_END,
            "spec.stages[1]",
            "Conflict"),
        refused(
            "the floors leave something of the total",
            STAGES
                + "- {name: search, type: Search, floor: 1s}\n- {name: generate, type: Generate, floor: 2s}\n",
            "spec.stages",
            "Conflict"),
        refused(
            "a stage names a backend that exists",
            STAGES + "- {name: search, type: Search, backend: docs}\n" + STAGES_END,
            "spec.stages[0].backend",
            "UnknownName"),
        refused(
            "a fallback names a backend that exists",
            STAGES + "- {name: search, type: Search, fallback: {backend: docs}}\n" + STAGES_END,
            "spec.stages[0].fallback.backend",
            "UnknownName"),
        refusedByReader(
            "a backend can do what the stage needs",
            STAGES
                + "- {name: search, type: Search, backend: llm}\n"
                + STAGES_END
                + "backends:\n- {name: llm, openai: {url: \"http://llm.example/v1\", model: m}}\n",
            "spec.stages[0].backend",
            "Conflict"));
  }

  private static SpecCase search(String sentence, String fields, String path, String reason) {
    String type = fields.startsWith("type:") ? "" : "type: Search, ";
    return refused(
        sentence,
        STAGES + "- {name: search, " + type + fields + "}\n" + STAGES_END,
        "spec.stages[0]." + path,
        reason);
  }

  private static SpecCase stage(String sentence, String fields, String path, String reason) {
    return refused(
        sentence,
        STAGES
            + "- {name: search, type: Search}\n- {name: generate, type: Generate, "
            + fields
            + "}\n",
        "spec.stages[1]." + path,
        reason);
  }
}
