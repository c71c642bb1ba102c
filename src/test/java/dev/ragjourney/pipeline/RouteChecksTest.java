package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Routes whose parts do not belong together are refused before a question meets them. */
@Timeout(30)
class RouteChecksTest {
  private Trial trial = new Trial();

  @Test
  void a_route_whose_backend_cannot_serve_its_stage_is_refused_before_it_is_used() {
    Route wrong = trial.routes(Trial.threeSeconds()).port("rerank", trial.rewrites(1)).route();

    assertThatThrownBy(() -> trial.runner().prepare(wrong))
        .hasMessage("The backend rerank cannot serve the stage rerank of type Rerank.");
  }

  @Test
  void a_fallback_with_a_form_and_no_budget_is_refused() {
    Route wrong = trial.routes(Trial.threeSeconds()).fallback("search", trial.finds(1)).route();

    assertThatThrownBy(() -> trial.runner().prepare(wrong))
        .hasMessage("The stage search has its fallback's budget or its form, but not both.");
  }
}
