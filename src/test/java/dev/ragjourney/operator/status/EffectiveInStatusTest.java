package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.crd.status.EffectiveBreaker;
import dev.ragjourney.crd.status.EffectiveHedge;
import dev.ragjourney.crd.status.EffectiveLevel;
import dev.ragjourney.crd.status.EffectiveRetry;
import dev.ragjourney.crd.status.EffectiveStage;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.desired.Desired;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest(
      name = "\"{0}\": shown {1}, starts at {2} ms, and at {3} ms where time is short")
  @CsvSource({
    "'degradeAfter: 900ms', 900ms, 900, 450",
    "'expected: {p50: 200ms, p95: 700ms}', 700ms, 700, 450",
    "'', , 2000, 450"
  })
  void the_fallback_starts_when_it_is_shown_to(
      String given, @Nullable String shown, long starts, long whenShort) {
    Desired.Objects wanted =
        Journeys.minimal()
            .spec(
                """
                budget: {total: 8s}
                documents: {configMap: {name: d}}
                stages:
                - name: search
                  type: Search
                  cap: 2s
                  fallback: {mode: Keyword, cap: 500ms}
                  %s
                - {name: generate, type: Generate, floor: 1s}
                """
                    .formatted(given))
            .objects();
    BudgetTable table = BudgetTable.of(wanted.plan().budget());

    assertThat(
            EffectiveFold.status(wanted.plan(), wanted.journey().rebalance())
                .stages()
                .getFirst()
                .degradeAfter())
        .isEqualTo(shown);
    assertThat(table.failOver(0, 0, Duration.ofSeconds(8).toNanos(), 1))
        .isEqualTo(Duration.ofMillis(starts).toNanos());
    assertThat(table.failOver(0, 0, Duration.ofSeconds(2).toNanos(), 1))
        .isEqualTo(Duration.ofMillis(whenShort).toNanos());
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

  /** From the spec through the plan that pods read to what is shown. */
  @Test
  void the_candidates_of_a_level_are_its_own_or_those_of_the_store() {
    Desired.Objects wanted =
        Journeys.minimal()
            .spec(
                """
                budget: {total: 8s}
                documents: {configMap: {name: d}}
                stages:
                - {name: embed, type: Embed}
                - {name: search, type: Search, backend: docs}
                - {name: generate, type: Generate}
                fallbackLevels:
                - {name: full, minRemaining: 5s}
                - {name: fast, minRemaining: 3s, stages: [{name: search, ef: 32}]}
                - {name: words, minRemaining: 2s, stages: [{name: search, backend: embedded}]}
                - {name: none, minRemaining: 1s, skip: [search]}
                - {name: sorry, answer: Static, message: later}
                backends:
                - {name: docs, qdrant: {url: "http://q.example", collection: c, ef: 128}}
                """)
            .objects();

    assertThat(wanted.plan().stages().get(1).variants())
        .extracting(form -> form.id() + " " + form.backend() + " " + form.ef())
        .containsExactly("v0 docs null", "v1 docs 32", "v2 embedded null");
    assertThat(EffectiveFold.status(wanted.plan(), wanted.journey().rebalance()).levels())
        .extracting(level -> level.name() + " " + level.topK() + " " + level.ef())
        .containsExactly(
            "full 10 128", "fast 10 32", "words 10 null", "none null null", "sorry null null");
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
