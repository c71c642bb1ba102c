package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Stages that cannot run side by side, or cannot start early. */
final class InvalidGroups {
  private static final String STAGES =
      "budget: {total: 3s}\ndocuments: {configMap: {name: d}}\nstages:\n";
  private static final String GENERATE = "- {name: generate, type: Generate}\n";
  private static final String REWRITER =
      "backends:\n- {name: llm, openai: {url: \"http://llm.example/v1\", model: m}}\n";

  private InvalidGroups() {}

  static List<SpecCase> all() {
    return List.of(
        refused(
            "stages of one group follow one another",
            STAGES
                + "- {name: a, type: Search, parallel: g}\n- {name: b, type: Search}\n- {name: c, type: Search, parallel: g}\n"
                + GENERATE,
            "spec.stages[2].parallel",
            "Conflict"),
        refused(
            "Generate runs alone",
            STAGES
                + "- {name: a, type: Search, parallel: g}\n- {name: generate, type: Generate, parallel: g}\n",
            "spec.stages[1].parallel",
            "Conflict"),
        refused(
            "a rerank cannot run beside the search that it needs",
            STAGES
                + "- {name: a, type: Search, parallel: g}\n- {name: b, type: Rerank, optional: true, parallel: g}\n"
                + GENERATE,
            "spec.stages[1].parallel",
            "Conflict"),
        refused(
            "of two embeddings side by side only one could be used",
            STAGES
                + "- {name: a, type: Embed, parallel: g}\n- {name: b, type: Embed, parallel: g}\n- {name: c, type: Search}\n"
                + GENERATE,
            "spec.stages[1].parallel",
            "Conflict"),
        refused(
            "of two rewrites side by side only one could be used",
            STAGES
                + "- {name: a, type: Rewrite, backend: llm, parallel: g}\n- {name: b, type: Rewrite, backend: llm, parallel: g}\n- {name: c, type: Search}\n"
                + GENERATE
                + REWRITER,
            "spec.stages[1].parallel",
            "Conflict"),
        refusedByReader(
            "the only search does not run beside the embedding that it needs",
            STAGES
                + "- {name: a, type: Embed, parallel: g}\n- {name: b, type: Search, parallel: g}\n"
                + GENERATE,
            "spec.stages[0].parallel",
            "Conflict"),
        refusedByReader(
            "a rewritten question that comes too late for all is of no use",
            STAGES
                + "- {name: a, type: Rewrite, backend: llm, parallel: g}\n- {name: b, type: Search, parallel: g}\n"
                + GENERATE
                + REWRITER,
            "spec.stages[0].parallel",
            "Conflict"),
        refusedByReader(
            "a keyword search cannot start before a search that is the first",
            STAGES + "- {name: a, type: Search, speculative: Keyword}\n" + GENERATE,
            "spec.stages[0].speculative",
            "Conflict"),
        refusedByReader(
            "what runs beside a search prepares nothing for it",
            STAGES
                + "- {name: a, type: Embed, parallel: g}\n- {name: b, type: Search, parallel: g, speculative: Keyword}\n- {name: c, type: Search}\n"
                + GENERATE,
            "spec.stages[1].speculative",
            "Conflict"));
  }
}
