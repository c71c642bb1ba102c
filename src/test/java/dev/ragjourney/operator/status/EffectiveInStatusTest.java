package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.EffectiveBreaker;
import dev.ragjourney.crd.status.EffectiveHedge;
import dev.ragjourney.crd.status.EffectiveLevel;
import dev.ragjourney.crd.status.EffectiveRetry;
import dev.ragjourney.crd.status.EffectiveStage;
import dev.ragjourney.operator.Journeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the description of a field names as its default is what status shows. */
class EffectiveInStatusTest {
  private static final String SPEC =
      """
      budget: {total: 8s}
      documents: {configMap: {name: d}}
      stages:
      - name: search
        type: Search
        cap: 2s
        expected: {p50: 200ms, p95: 700ms}
        retry: {attemptCaps: [500ms, 300ms]%s}
        hedge: {after: 250ms%s}
        breaker: {%s}
        fallback: {mode: Keyword}
        %s
      - {name: generate, type: Generate}
      semanticCache: {}
      fallbackLevels:
      - {name: full, minRemaining: 4s}
      - {name: cached, answer: SemanticCache%s}
      - {name: sorry, answer: Static, message: later}
      """;

  @Test
  void what_is_left_out_has_its_default() {
    EffectiveStage search = stage("", "", "", "");

    assertThat(search.retry())
        .isEqualTo(new EffectiveRetry(List.of("500ms", "300ms"), "50ms", "200ms", "20%"));
    assertThat(search.hedge()).isEqualTo(new EffectiveHedge("250ms", 4, "5%"));
    assertThat(search.breaker()).isEqualTo(new EffectiveBreaker("50%", "50%", 20, "10s"));
    assertThat(search.degradeAfter()).as("the expected p95").isEqualTo("700ms");
    assertThat(level("").minSimilarity()).isEqualTo("92%");
  }

  @Test
  void what_is_given_is_shown() {
    EffectiveStage search =
        stage(
            ", backoff: {min: 10ms, max: 20ms}, maxRatio: 1%",
            ", maxConcurrent: 7, maxRatio: 0.5%",
            "slowRatio: 10%, errorRatio: 20%, window: 30, probeAfter: 5s",
            "degradeAfter: 900ms");

    assertThat(search.retry())
        .isEqualTo(new EffectiveRetry(List.of("500ms", "300ms"), "10ms", "20ms", "1%"));
    assertThat(search.hedge()).isEqualTo(new EffectiveHedge("250ms", 7, "0.5%"));
    assertThat(search.breaker()).isEqualTo(new EffectiveBreaker("10%", "20%", 30, "5s"));
    assertThat(search.degradeAfter()).isEqualTo("900ms");
    assertThat(level(", minSimilarity: 97%").minSimilarity()).isEqualTo("97%");
  }

  @Test
  void what_a_stage_does_not_have_is_not_shown() {
    for (EffectiveStage stage : Journeys.minimal().status().effective().stages()) {
      assertThat(stage.retry()).as(stage.name()).isNull();
      assertThat(stage.hedge()).as(stage.name()).isNull();
      assertThat(stage.breaker()).as(stage.name()).isNull();
      assertThat(stage.degradeAfter()).as(stage.name()).isNull();
    }
    assertThat(Journeys.minimal().status().effective().levels())
        .extracting(EffectiveLevel::minSimilarity)
        .containsOnlyNulls();
  }

  private static EffectiveStage stage(String retry, String hedge, String breaker, String more) {
    String spec = SPEC.formatted(retry, hedge, breaker, more, "");
    return Journeys.minimal().spec(spec).status().effective().stages().getFirst();
  }

  private static EffectiveLevel level(String more) {
    String spec = SPEC.formatted("", "", "", "", more);
    return Journeys.minimal().spec(spec).status().effective().levels().get(1);
  }
}
