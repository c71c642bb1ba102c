package dev.ragjourney.crd;

import static dev.ragjourney.budget.StageType.EMBED;
import static dev.ragjourney.budget.StageType.GENERATE;
import static dev.ragjourney.budget.StageType.RERANK;
import static dev.ragjourney.budget.StageType.SEARCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.parsed.Documents;
import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.ParsedLevel;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultsTest {
  private static final ParsedJourney MINIMAL =
      read("{budget: {total: 3s}, documents: {configMap: {name: d}}}");

  @Test
  void three_seconds_are_shared_out_among_the_embedded_stages() {
    assertThat(MINIMAL.budget().stages())
        .extracting(
            StageBudget::name,
            StageBudget::type,
            StageBudget::optional,
            StageBudget::cap,
            StageBudget::floor)
        .containsExactly(
            tuple("embed", EMBED, false, ms(150), Duration.ZERO),
            tuple("search", SEARCH, false, ms(600), Duration.ZERO),
            tuple("rerank", RERANK, true, ms(300), Duration.ZERO),
            tuple("generate", GENERATE, false, null, ms(1200)));
  }

  @Test
  void the_journey_s_own_times_are_the_documented_ones() {
    JourneyBudget budget = MINIMAL.budget();
    assertThat(budget.countTo()).isEqualTo(CountTo.FIRST_TOKEN);
    assertThat(budget.reserve()).isEqualTo(ms(50));
    assertThat(budget.lastTokenMargin()).isEqualTo(ms(200));
    assertThat(budget.streamIdle()).isEqualTo(Duration.ofSeconds(30));
    assertThat(budget.streamMax()).isEqualTo(Duration.ofMinutes(5));
    assertThat(MINIMAL.objective()).isEqualTo(new Objective(0.01, 0.1));
  }

  @Test
  void a_short_budget_shrinks_every_default() {
    JourneyBudget budget =
        read("{budget: {total: 500ms}, documents: {configMap: {name: d}}}").budget();
    assertThat(budget.reserve()).isEqualTo(ms(25));
    assertThat(budget.lastTokenMargin()).isEqualTo(ms(50));
  }

  @Test
  void caps_may_move_from_a_quarter_to_four_times_but_never_into_the_floor_of_generate() {
    assertThat(MINIMAL.rebalance().capRanges())
        .isEqualTo(
            Map.of(
                "embed", new CapRange(ms(37), ms(600)),
                "search", new CapRange(ms(150), ms(1750)),
                "rerank", new CapRange(ms(75), ms(1200))));
  }

  @Test
  void rebalancing_is_on_by_the_plain_rule() {
    assertThat(MINIMAL.policy().learns()).isEqualTo(new LearningPolicy(0.01, 0.01));
    RebalancePolicy policy = MINIMAL.rebalance();
    assertThat(policy.mode()).isEqualTo(RebalancePolicy.Mode.AUTO);
    assertThat(policy.rule()).isEqualTo(RebalancePolicy.Rule.P95_HEADROOM);
    assertThat(policy.interval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(policy.window()).isEqualTo(Duration.ofMinutes(30));
    assertThat(policy.cooldown()).isEqualTo(Duration.ofMinutes(10));
    assertThat(policy.headroom()).isEqualTo(0.2);
    assertThat(policy.minSamples()).isEqualTo(100);
    assertThat(policy.maxStepUp()).isEqualTo(0.5);
    assertThat(policy.maxStepDown()).isEqualTo(0.2);
    assertThat(policy.deadBand()).isEqualTo(0.05);
  }

  @Test
  void the_ladder_is_full_then_fast_then_a_static_message() {
    assertThat(MINIMAL.budget().levels())
        .containsExactly(
            new FallbackLevel("full", AnswerSource.STAGES, ms(1500), List.of(), List.of()),
            new FallbackLevel("fast", AnswerSource.STAGES, ms(750), List.of("rerank"), List.of()),
            new FallbackLevel("sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()));
    assertThat(MINIMAL.staticMessage()).isNotBlank();
    assertThat(MINIMAL.degradedHint()).isNotBlank();
    assertThat(MINIMAL.levels()).allSatisfy(level -> assertThat(level.hint()).isNull());
  }

  @Test
  void late_sampling_is_the_users_share_whatever_the_mode() {
    String spec = "{budget: {total: 3s}, documents: {configMap: {name: d}}, rebalance: {%s}}";
    assertThat(read(spec.formatted("lateSampling: 0.5%")).policy().learns().lateShare())
        .isEqualTo(0.005);
    assertThat(read(spec.formatted("lateSampling: 0%")).policy().learns().lateShare()).isZero();
    assertThat(read(spec.formatted("mode: Disabled")).policy().learns().lateShare())
        .isEqualTo(0.01);
  }

  @Test
  void a_level_may_have_a_hint_of_its_own() {
    SpecReading reading =
        SpecReader.read(
            "faq",
            Yaml.read(
                """
                budget: {total: 3s}
                documents: {configMap: {name: d}}
                fallbackLevels:
                - {name: full, minRemaining: 2s}
                - {name: fast, minRemaining: 1s500ms, hint: "In short."}
                - {name: sorry, answer: Static, message: "Later."}
                """,
                RagJourneySpec.class));

    assertThat(((SpecReading.Valid) reading).journey().levels())
        .extracting(ParsedLevel::hint)
        .containsExactly(null, "In short.", null);
  }

  @Test
  void fast_searches_half_the_passages() {
    assertThat(MINIMAL.stages())
        .extracting(
            ParsedStage::name, stage -> stage.forms().stream().map(StageForm::topK).toList())
        .containsExactly(
            tuple("embed", List.of(0)),
            tuple("search", List.of(10, 5)),
            tuple("rerank", List.of(10)),
            tuple("generate", List.of(0)));
    assertThat(MINIMAL.levels().get(0).variants()).isEmpty();
    assertThat(MINIMAL.levels().get(1).variants()).isEqualTo(Map.of("search", "v1"));
    assertThat(MINIMAL.levels().get(2).variants()).isEmpty();
  }

  @Test
  void everything_runs_in_the_pod() {
    assertThat(MINIMAL.backends())
        .extracting(ParsedBackend::name, ParsedBackend::kind)
        .containsExactly(tuple("embedded", "embedded"));
    assertThat(MINIMAL.documents()).isEqualTo(new Documents.FromConfigMap("d"));
    assertThat(MINIMAL.workload().replicas()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"50ms", "51ms", "99ms", "100ms", "333ms", "500ms", "1s", "3s", "8s", "1m", "10m"})
  void the_default_journey_fits_into_any_budget(String total) {
    JourneyBudget budget =
        read("{budget: {total: %s}, documents: {configMap: {name: d}}}".formatted(total)).budget();
    assertThat(Feasibility.check(budget)).isInstanceOf(Feasibility.Fits.class);
    assertThat(budget.stages())
        .extracting(StageBudget::cap)
        .filteredOn(cap -> cap != null)
        .allSatisfy(cap -> assertThat(Durations.parse(Durations.format(cap))).isEqualTo(cap));
  }

  @Test
  void a_cap_follows_the_expected_p95_where_none_is_declared() {
    assertThat(search("expected: {p50: 100ms, p95: 250ms}").cap()).isEqualTo(ms(300));
    assertThat(search("expected: {p50: 100ms, p95: 250ms}").floor()).isEqualTo(ms(100));
  }

  @Test
  void a_default_cap_keeps_to_the_declared_range() {
    assertThat(search("capRange: {max: 500ms}").cap()).isEqualTo(ms(500));
    assertThat(search("capRange: {min: 700ms}").cap()).isEqualTo(ms(700));
  }

  @Test
  void an_expected_p95_beyond_the_budget_is_cut_to_what_the_others_leave() {
    assertThat(search("expected: {p95: 9s}").cap()).isEqualTo(ms(1750));
  }

  @Test
  void a_fallback_onto_the_same_backend_is_rare_and_onto_another_one_is_not() {
    assertThat(search("fallback: {mode: Keyword}").fallback())
        .satisfies(
            fallback -> {
              assertThat(fallback.cap()).isEqualTo(ms(500));
              assertThat(fallback.minRemaining()).isEqualTo(ms(300));
              assertThat(fallback.maxRatio()).isEqualTo(0.1);
              assertThat(fallback.cancelPrimary()).isFalse();
            });
    assertThat(search("fallback: {backend: other}").fallback().maxRatio()).isEqualTo(1);
  }

  @Test
  void a_semantic_cache_adds_its_level_to_the_default_ladder() {
    ParsedJourney journey =
        read(
            "{budget: {total: 3s}, documents: {configMap: {name: d}}, semanticCache: {ttl: 2h, upFront: true}}");
    assertThat(journey.budget().levels())
        .extracting(FallbackLevel::name, FallbackLevel::answer)
        .containsExactly(
            tuple("full", AnswerSource.STAGES),
            tuple("fast", AnswerSource.STAGES),
            tuple("cached", AnswerSource.SEMANTIC_CACHE),
            tuple("sorry", AnswerSource.STATIC));
    assertThat(journey.policy().answerCache())
        .isEqualTo(new AnswerCachePolicy(10_000, Duration.ofHours(2), 0.92, true));
    assertThat(MINIMAL.policy().answerCache()).isNull();
  }

  @Test
  void a_level_that_answers_from_the_cache_needs_no_more_to_have_one() {
    ParsedJourney journey =
        read(
            """
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            fallbackLevels:
            - {name: full, minRemaining: 2s}
            - {name: near, answer: SemanticCache, minSimilarity: 95.5%}
            - {name: sorry, answer: Static, message: later}
            """);
    assertThat(journey.policy().answerCache())
        .isEqualTo(new AnswerCachePolicy(10_000, Duration.ofHours(1), 0.955, false));
  }

  private static StageBudget search(String fields) {
    return read("""
            budget: {total: 3s}
            documents: {configMap: {name: d}}
            stages:
            - {name: search, type: Search, %s}
            - {name: generate, type: Generate}
            backends:
            - {name: other, http: {url: "http://other.example/"}}
            """
            .formatted(fields))
        .budget()
        .stages()
        .getFirst();
  }

  private static ParsedJourney read(String spec) {
    return ((SpecReading.Valid) SpecReader.read("faq", Yaml.read(spec, RagJourneySpec.class)))
        .journey();
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
