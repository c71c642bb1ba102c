package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageForm;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.pipeline.StageRoute;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteBuilderTest {
  private final FakeBackends factory = new FakeBackends();

  private Map<String, Backend> opened(Plan plan) {
    Map<String, Backend> opened = new HashMap<>();
    plan.backends()
        .forEach(
            b -> opened.put(b.name(), factory.open(BackendUse.of(plan, b, factory), List.of())));
    return opened;
  }

  private static List<String> forms(Route route, int stage) {
    return route.stages().get(stage).formByLevel().stream().map(StageForm::variant).toList();
  }

  @Test
  void each_level_gets_its_form_and_a_skipping_or_answering_level_repeats_the_one_above() {
    Plan plan = SamplePlans.large();
    Route route = RouteBuilder.build(plan, opened(plan));
    assertThat(route.stages())
        .extracting(StageRoute::name)
        .containsExactly("rewrite", "embed", "search", "rerank", "generate");
    assertThat(forms(route, 0)).containsExactly("v0", "v0", "v0", "v0", "v0");
    assertThat(forms(route, 2)).containsExactly("v0", "v1", "v2", "v2", "v2");
    assertThat(forms(route, 4)).containsExactly("v0", "v0", "v1", "v1", "v1");
  }

  @Test
  void a_level_has_its_own_hint_or_the_journeys() {
    Plan plan = SamplePlans.large();
    Route route = RouteBuilder.build(plan, opened(plan));
    assertThat(route.hints())
        .containsExactly(
            plan.degradedHint(),
            plan.degradedHint(),
            "A short answer.",
            plan.degradedHint(),
            plan.degradedHint());
  }

  @Test
  void a_form_carries_what_the_plan_says() {
    Plan plan = SamplePlans.large();
    Route route = RouteBuilder.build(plan, opened(plan));
    StageForm generate = route.stages().get(4).formByLevel().getFirst();
    assertThat(generate.backend()).isEqualTo("big-llm");
    assertThat(generate.maxTokens()).isEqualTo(500);
    assertThat(generate.maxContextTokens()).isEqualTo(3000);
    assertThat(generate.noContextInstructions()).isEqualTo("Say that you do not know.");
    assertThat(generate.reasoningEffort()).isEqualTo("minimal");
    assertThat(route.stages().get(2).formByLevel())
        .extracting(StageForm::ef)
        .containsExactly(null, null, 40, 40, 40);
    StageForm fallback = route.stages().get(2).fallback();
    assertThat(fallback).isNotNull();
    assertThat(fallback.keywordOnly()).isTrue();
    assertThat(route.refuseWithoutContext()).isTrue();
    assertThat(route.revision()).isEqualTo(42);
  }

  @Test
  void a_backend_that_does_not_serve_its_stage_is_refused() {
    Plan plan = SamplePlans.smallest();
    Backend serving =
        factory.open(BackendUse.of(plan, plan.backends().getFirst(), factory), List.of());
    Backend refusing =
        new Backend() {
          @Override
          public StagePort port(StageType type) {
            if (type == StageType.RERANK) {
              throw new IllegalArgumentException("serves no Rerank");
            }
            return serving.port(type);
          }

          @Override
          public List<String> missing() {
            return List.of();
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> RouteBuilder.build(plan, Map.of("embedded", refusing)))
        .hasMessage("serves no Rerank");
  }
}
