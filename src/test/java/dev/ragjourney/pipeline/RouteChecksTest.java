package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.BudgetDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Routes whose parts do not belong together are refused before a question meets them. */
@Timeout(30)
class RouteChecksTest {
  private Trial trial = new Trial();

  private static BudgetDraft threeSeconds() {
    return BudgetDraft.of("3s")
        .stages(
            rewrite().cap("400ms"),
            search().cap("1s"),
            rerank().cap("300ms"),
            generate().floor("1s"));
  }

  private Routes routes(BudgetDraft draft) {
    return Routes.of(draft)
        .port("rewrite", trial.rewrites(100))
        .port("search", trial.finds(200, "a", "b"))
        .port("rerank", trial.reverses(50))
        .port("generate", trial.writes(500, 100, "Because ", "it ", "is."));
  }

  @Test
  void a_route_whose_backend_cannot_serve_its_stage_is_refused_before_it_is_used() {
    Route wrong = routes(threeSeconds()).port("rerank", trial.rewrites(1)).route();

    assertThatThrownBy(() -> trial.runner().prepare(wrong))
        .hasMessage("The backend rerank cannot serve the stage rerank of type Rerank.");
  }

  @Test
  void a_fallback_with_a_form_and_no_budget_is_refused() {
    Route wrong = routes(threeSeconds()).fallback("search", trial.finds(1)).route();

    assertThatThrownBy(() -> trial.runner().prepare(wrong))
        .hasMessage("The stage search has its fallback's budget or its form, but not both.");
  }
}
