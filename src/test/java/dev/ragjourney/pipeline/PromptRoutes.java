package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;

import dev.ragjourney.budget.BudgetDraft;

/** Routes whose backends answer at once, to put one that misbehaves among them. */
final class PromptRoutes {
  static final PassageSearch FOUND = (call, query) -> PassagesFound.whole(Trial.passages("a"));
  static final Generator HELLO =
      (call, prompt, sink) -> {
        sink.accept("Hello ");
        sink.accept("world.");
        return new Completion("stop", null, null);
      };

  private PromptRoutes() {}

  static Routes routes() {
    return routes("10s");
  }

  static Routes routes(String total) {
    return Routes.of(
            BudgetDraft.of(total)
                .stages(
                    rewrite().cap("300ms"),
                    search().cap("500ms"),
                    rerank().cap("300ms"),
                    generate().floor("500ms")))
        .port("rewrite", (Rewriter) (call, question, earlier, instructions) -> "rewritten")
        .port("search", FOUND)
        .port("rerank", (Reranker) (call, question, passages) -> PassagesFound.whole(passages))
        .port("generate", HELLO);
  }
}
