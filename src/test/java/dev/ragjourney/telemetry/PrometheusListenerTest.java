package dev.ragjourney.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.HedgeOutcome;
import dev.ragjourney.pipeline.PodLoad;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.HelpedPlans;
import dev.ragjourney.support.SamplePlans;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PrometheusListenerTest {
  private static final String TEXT = Exposition.contentType(null);
  private static final String NAMES = "namespace=\"default\",journey=\"faq\",";
  private static final Plan PLAN = SamplePlans.smallest();

  private final PrometheusListener metrics = new PrometheusListener();

  private String scrape(String type) throws IOException {
    StringWriter text = new StringWriter();
    new Exposition(metrics).write(text, type);
    return text.toString();
  }

  private String line(String metric, String labels) throws IOException {
    String start = metric + "{" + NAMES + labels + "} ";
    List<String> found = scrape(TEXT).lines().filter(line -> line.startsWith(start)).toList();
    return found.size() == 1 ? found.getFirst().substring(start.length()) : "absent" + found;
  }

  @Test
  void a_full_backend_is_seen_on_the_scrape_beside_what_it_may_have() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    metrics.watch(() -> new PodLoad(Map.of("embedded", calls.get(), "gone", 7), List.of()));
    metrics.planLoaded(PLAN);

    assertThat(line("rag_backend_inflight", "backend=\"embedded\",")).isEqualTo("0.0");
    assertThat(line("rag_backend_limit", "backend=\"embedded\",")).isEqualTo("100.0");
    calls.set(100);
    assertThat(line("rag_backend_inflight", "backend=\"embedded\",")).isEqualTo("100.0");
    assertThat(scrape(TEXT)).doesNotContain("backend=\"gone\"");
  }

  @Test
  void second_copies_and_breakers_are_there_from_the_start_and_follow_what_happens()
      throws Exception {
    List<PodLoad.BreakerReading> breakers = new CopyOnWriteArrayList<>();
    metrics.watch(() -> new PodLoad(Map.of(), breakers));
    metrics.planLoaded(HelpedPlans.with(PLAN, "search"));
    String breaker = "stage=\"search\",backend=\"embedded\",";

    for (String role : List.of("retry", "hedge")) {
      assertThat(scrape(TEXT).lines())
          .as("the first of them is an increase too")
          .anyMatch(
              line ->
                  line.startsWith("rag_backend_call_seconds_count{")
                      && line.contains("stage=\"search\"")
                      && line.contains("role=\"" + role + "\"")
                      && line.endsWith(" 0.0"));
    }

    assertThat(line("rag_hedges_total", "stage=\"search\",result=\"limited\",")).isEqualTo("0.0");
    assertThat(line("rag_breaker_state", breaker)).isEqualTo("0.0");
    metrics.hedged(Events.route(PLAN), "search", HedgeOutcome.LIMITED);
    breakers.add(new PodLoad.BreakerReading("search", "embedded", PodLoad.BreakerState.OPEN));
    assertThat(line("rag_hedges_total", "stage=\"search\",result=\"limited\",")).isEqualTo("1.0");
    assertThat(line("rag_breaker_state", breaker)).isEqualTo("2.0");
    assertThat(scrape(TEXT).lines().filter(l -> l.startsWith("rag_breaker_state"))).hasSize(1);
  }

  @Test
  void what_the_plan_will_count_is_there_at_zero() throws Exception {
    metrics.planLoaded(PLAN);
    String search = "stage=\"search\",variant=\"v1\",";
    assertThat(line("rag_stage_duration_seconds_count", search + "outcome=\"success\",cut=\"\","))
        .isEqualTo("0.0");
    assertThat(
            line(
                "rag_stage_duration_seconds_bucket",
                search + "outcome=\"timeout\",cut=\"cap\",le=\"3.0\","))
        .isEqualTo("0.0");
    assertThat(
            line(
                "rag_stage_duration_seconds_count",
                search + "outcome=\"timeout\",cut=\"deadline\","))
        .isEqualTo("0.0");
    assertThat(line("rag_stage_started_total", "stage=\"rerank\",")).isEqualTo("0.0");
    assertThat(line("rag_stage_skipped_total", "stage=\"rerank\",reason=\"no_time\","))
        .isEqualTo("0.0");
    assertThat(line("rag_stage_timeouts_total", "stage=\"rerank\",cut=\"cap\",")).isEqualTo("0.0");
    assertThat(
            line(
                "rag_journey_answers_total",
                "outcome=\"static\",level=\"sorry\",deadline=\"caller\","))
        .isEqualTo("0.0");
    assertThat(line("rag_journey_duration_seconds_count", "outcome=\"full\",level=\"full\","))
        .isEqualTo("0.0");
    assertThat(line("rag_journey_remaining_at_generate_seconds_count", "")).isEqualTo("0.0");
  }

  @Test
  void what_the_rules_would_cut_is_counted_where_they_only_watch() throws Exception {
    metrics.planLoaded(PLAN);
    assertThat(line("rag_stage_would_cut_total", "stage=\"rerank\",reason=\"cap\","))
        .startsWith("absent");

    metrics.planLoaded(
        SamplePlans.withPolicy(PLAN, new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, null)));
    assertThat(line("rag_stage_would_cut_total", "stage=\"rerank\",reason=\"level\","))
        .isEqualTo("0.0");
    metrics.stageWouldBeCut(Events.route(PLAN), "rerank", "cap");
    assertThat(line("rag_stage_would_cut_total", "stage=\"rerank\",reason=\"cap\","))
        .isEqualTo("1.0");
  }

  @Test
  void a_stage_without_a_cap_shows_none() throws Exception {
    metrics.planLoaded(PLAN);
    assertThat(line("rag_stage_cap_seconds", "stage=\"search\",")).isEqualTo("0.6");
    assertThat(line("rag_stage_cap_seconds", "stage=\"generate\",")).startsWith("absent");
    assertThat(line("rag_stage_timeouts_total", "stage=\"generate\",cut=\"cap\","))
        .startsWith("absent");
  }

  @Test
  void the_boundaries_are_the_plans() throws Exception {
    metrics.planLoaded(PLAN);
    List<String> boundaries =
        scrape(TEXT)
            .lines()
            .filter(
                line ->
                    line.startsWith(
                        "rag_stage_duration_seconds_bucket{"
                            + NAMES
                            + "stage=\"embed\",variant=\"v0\",outcome=\"success\""))
            .map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
            .toList();
    List<String> wanted = new ArrayList<>();
    PLAN.boundaries().forEach(boundary -> wanted.add(boundary.toString()));
    wanted.add("+Inf");
    assertThat(boundaries).isEqualTo(wanted);
  }

  @Test
  void calls_are_counted_by_how_they_ended() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.stageStarted(Events.started(PLAN, "search"));
    metrics.stageEnded(Events.ended(PLAN, "search", "v1", StageOutcome.TIMEOUT, Cut.CAP, 600));
    metrics.stageSkipped(Events.route(PLAN), "rerank", "no_time");
    metrics.generateReached(Events.route(PLAN), 2_000_000_000L);
    metrics.backendCalled(
        Events.called(PLAN, "search", "embedded", StageCall.Role.PRIMARY, StageOutcome.TIMEOUT));
    String ended = "stage=\"search\",variant=\"v1\",outcome=\"timeout\",cut=\"cap\",";
    assertThat(line("rag_stage_started_total", "stage=\"search\",")).isEqualTo("1.0");
    assertThat(line("rag_stage_duration_seconds_count", ended)).isEqualTo("1.0");
    assertThat(line("rag_stage_duration_seconds_sum", ended)).isEqualTo("0.6");
    assertThat(line("rag_stage_timeouts_total", "stage=\"search\",cut=\"cap\",")).isEqualTo("1.0");
    assertThat(line("rag_stage_skipped_total", "stage=\"rerank\",reason=\"no_time\","))
        .isEqualTo("1.0");
    assertThat(line("rag_journey_remaining_at_generate_seconds_sum", "")).isEqualTo("2.0");
    assertThat(
            line(
                "rag_backend_call_seconds_count",
                "stage=\"search\",backend=\"embedded\",role=\"primary\",provider=\"\",region=\"\","
                    + "operation=\"search\",size=\"\",outcome=\"timeout\","))
        .isEqualTo("1.0");
  }

  @Test
  void answers_are_counted_to_the_first_token_and_by_whose_deadline_it_was() throws Exception {
    metrics.planLoaded(PLAN);
    Answer degraded = Events.answer(Outcome.DEGRADED, 1, "fast");
    metrics.journeyEnded(Events.route(PLAN), Events.question(1_000_000_000L), degraded);
    metrics.journeyEnded(Events.route(PLAN), Events.question(9_000_000_000L), degraded);
    metrics.journeyEnded(Events.route(PLAN), Events.question(null), degraded);
    String of = "outcome=\"degraded\",level=\"fast\",";
    assertThat(line("rag_journey_answers_total", of + "deadline=\"caller\",")).isEqualTo("1.0");
    assertThat(line("rag_journey_answers_total", of + "deadline=\"own\",")).isEqualTo("2.0");
    assertThat(line("rag_journey_duration_seconds_sum", of)).startsWith("1.35");
    assertThat(line("rag_journey_total_seconds_sum", of)).startsWith("1.79");
    assertThat(line("rag_journey_first_token_seconds_count", "level=\"fast\",")).isEqualTo("3.0");
  }

  @Test
  void tokens_are_counted_and_those_nobody_read_apart() throws Exception {
    Plan plan = SamplePlans.large();
    metrics.planLoaded(plan);
    metrics.tokensUsed(Events.tokens(plan, "big-llm", 100, 20, false));
    metrics.tokensUsed(Events.tokens(plan, "big-llm", 50, 5, true));
    assertThat(scrape(TEXT))
        .contains(
            "rag_tokens_total{namespace=\"shop\",journey=\"assistant\",backend=\"big-llm\","
                + "kind=\"input\",wasted=\"false\",} 100.0",
            "backend=\"big-llm\",kind=\"output\",wasted=\"true\",} 5.0",
            "backend=\"small-llm\",kind=\"output\",wasted=\"false\",} 0.0");
  }

  @Test
  void what_the_answer_cache_does_is_counted_where_there_is_one() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.answerLookedUp(Events.route(PLAN), AnswerCache.Lookup.HIT);
    assertThat(scrape(TEXT)).doesNotContain("rag_cache_lookups_total{");
    Plan caching = SamplePlans.caching(PLAN);
    metrics.planLoaded(caching);
    assertThat(line("rag_cache_lookups_total", "result=\"near\",")).isEqualTo("0.0");
    assertThat(line("rag_cache_entries", "")).isEqualTo("0.0");
    metrics.answerLookedUp(Events.route(caching), AnswerCache.Lookup.HIT);
    metrics.answerKept(Events.route(caching), new AnswerCache.Stock(7, 2));
    metrics.answerKept(Events.route(caching), new AnswerCache.Stock(8, 0));
    assertThat(line("rag_cache_lookups_total", "result=\"hit\",")).isEqualTo("1.0");
    assertThat(line("rag_cache_kept_total", "")).isEqualTo("2.0");
    assertThat(line("rag_cache_evicted_total", "")).isEqualTo("2.0");
    assertThat(line("rag_cache_entries", "")).isEqualTo("8.0");
    metrics.planLoaded(PLAN);
    assertThat(scrape(TEXT)).doesNotContain("rag_cache_lookups_total{");
  }

  @Test
  void a_fallbacks_time_is_kept_on_its_own_with_all_boundaries() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.backendCalled(
        Events.called(PLAN, "search", "embedded", StageCall.Role.FALLBACK, StageOutcome.SUCCESS));
    metrics.backendCalled(
        Events.called(PLAN, "search", "embedded", StageCall.Role.PRIMARY, StageOutcome.SUCCESS));

    assertThat(line("rag_stage_fallback_seconds_count", "stage=\"search\",outcome=\"success\","))
        .isEqualTo("1.0");
    assertThat(
            scrape(TEXT)
                .lines()
                .filter(line -> line.startsWith("rag_stage_fallback_seconds_bucket"))
                .filter(line -> line.contains("stage=\"search\",outcome=\"success\""))
                .count())
        .isEqualTo(PLAN.boundaries().size() + 1);
  }

  @Test
  void a_stage_that_left_the_plan_is_not_shown_any_more_and_its_last_call_does_not_bring_it_back()
      throws Exception {
    metrics.planLoaded(PLAN);
    metrics.stageStarted(Events.started(PLAN, "search"));
    metrics.planLoaded(withoutRerank(2));
    metrics.stageStarted(Events.started(PLAN, "rerank"));
    metrics.stageEnded(Events.ended(PLAN, "rerank", "v0", StageOutcome.SUCCESS, Cut.NONE, 5));
    metrics.stageSkipped(Events.route(PLAN), "rerank", "level");
    metrics.backendCalled(
        Events.called(PLAN, "rerank", "embedded", StageCall.Role.PRIMARY, StageOutcome.SUCCESS));
    assertThat(scrape(TEXT)).doesNotContain("stage=\"rerank\"");
    assertThat(line("rag_stage_started_total", "stage=\"search\",")).isEqualTo("1.0");
  }

  private static Plan withoutRerank(long revision) {
    JourneyBudget budget = PLAN.budget();
    JourneyBudget less =
        budget.withStages(
            budget.stages().stream().filter(s -> !s.name().equals("rerank")).toList());
    return new Plan(
        PLAN.schemaVersion(),
        PLAN.namespace(),
        PLAN.journey(),
        PLAN.generation(),
        revision,
        less,
        PLAN.stages().stream().filter(s -> !s.name().equals("rerank")).toList(),
        List.of(
            new LevelPlan("full", Map.of()),
            new LevelPlan("fast", Map.of("search", "v1")),
            new LevelPlan("sorry", Map.of())),
        PLAN.backends(),
        PLAN.staticMessage(),
        PLAN.degradedHint(),
        PLAN.refuseWithoutContext(),
        PLAN.policy(),
        PLAN.boundaries(),
        PLAN.warmUp());
  }

  @Test
  void another_total_starts_new_histograms_with_its_own_boundaries() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.stageStarted(Events.started(PLAN, "search"));
    JourneyBudget budget = PLAN.budget();
    metrics.planLoaded(
        SamplePlans.withBudget(
            PLAN,
            new JourneyBudget(
                Duration.ofSeconds(5),
                budget.countTo(),
                budget.reserve(),
                budget.lastTokenMargin(),
                budget.streamIdle(),
                budget.streamMax(),
                budget.stages(),
                budget.levels())));
    String search = "stage=\"search\",variant=\"v0\",outcome=\"success\",cut=\"\",";
    String bucket = "rag_stage_duration_seconds_bucket";
    assertThat(line(bucket, search + "le=\"5.0\",")).isEqualTo("0.0");
    assertThat(line(bucket, search + "le=\"3.0\",")).startsWith("absent");
    assertThat(line("rag_stage_started_total", "stage=\"search\",")).isEqualTo("0.0");
  }

  @Test
  void both_formats_are_whole_and_neither_shows_creation_times() throws Exception {
    metrics.planLoaded(PLAN);
    String open = Exposition.contentType("application/openmetrics-text; version=1.0.0");
    assertThat(TEXT).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(open).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
    assertThat(scrape(TEXT)).doesNotContain("_created").doesNotContain("# EOF");
    assertThat(scrape(open))
        .doesNotContain("_created")
        .contains("# TYPE rag_stage_started counter")
        .endsWith("# EOF\n");
  }
}
