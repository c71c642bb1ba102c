package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.pipeline.BackendException.Kind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a stage's backend is left alone, in made time. */
@Timeout(120)
class BreakerTest {
  private static final int WINDOW = 4;

  private final Trial trial = new Trial();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Reranker backend = reranks(10);

  private Reranker reranks(long ms) {
    return (call, question, passages) -> {
      trial.machinery.takes(ms * MS);
      return PassagesFound.whole(passages.reversed());
    };
  }

  private Reranker fails(Kind kind) {
    return (call, question, passages) -> trial.fails(10, kind);
  }

  private Route route(StageDraft rerank) {
    return Routes.of(
            BudgetDraft.of("3s").stages(search().cap("1s"), rerank, generate().floor("1s")))
        .port("search", trial.finds(10, "a", "b"))
        .port(
            "rerank",
            (Reranker)
                (call, question, passages) -> {
                  asked.incrementAndGet();
                  return backend.rerank(call, question, passages);
                })
        .port("generate", trial.writes(100, "Well."))
        .route();
  }

  private static StageDraft guarded() {
    return rerank().cap("200ms").breaker(0.5, 0.5, WINDOW, "10s");
  }

  private void ask(Route route, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      trial.ask(route, null, false);
    }
  }

  private void pass(long ms) throws Exception {
    trial.machinery.live(
        () -> {
          trial.machinery.takes(ms * MS);
          return null;
        });
  }

  private static Optional<String> reason(Answer answer) {
    return answer.skipped().stream().map(Answer.Skipped::reason).findFirst();
  }

  private PodLoad.BreakerState state() {
    return trial.runner().load().breakers().stream().findFirst().orElseThrow().state();
  }

  @Test
  void after_a_window_of_failures_the_stage_is_skipped_at_once() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.SERVER_ERROR);
    ask(route, WINDOW);

    Answer answer = trial.ask(route, null, false);

    assertThat(asked).hasValue(WINDOW);
    assertThat(reason(answer)).contains("breaker");
    assertThat(answer.latencyNanos()).as("no time is spent on it").isEqualTo((10 + 100) * MS);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.OPEN);
    assertThat(trial.told.skips).contains(new Answer.Skipped("rerank", "breaker"));
    assertThat(trial.told.starts.stream().filter(s -> s.stage().equals("rerank"))).hasSize(WINDOW);
  }

  @Test
  void calls_cut_at_the_cap_open_it_too() throws Exception {
    Route route = route(guarded());
    backend = reranks(60_000);
    ask(route, WINDOW);

    assertThat(reason(trial.ask(route, null, false))).contains("breaker");
  }

  @Test
  void below_the_ratio_it_stays_closed() throws Exception {
    Route route = route(guarded());
    for (int i = 0; i < 5 * WINDOW; i++) {
      backend = i % 4 == 0 ? fails(Kind.SERVER_ERROR) : reranks(10);
      ask(route, 1);
    }

    assertThat(asked).hasValue(5 * WINDOW);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void before_a_whole_window_it_stays_closed() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.UNAVAILABLE);

    ask(route, WINDOW - 1);

    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void after_its_time_it_probes_and_closes_when_the_probes_are_good() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.SERVER_ERROR);
    ask(route, WINDOW);
    backend = reranks(10);
    pass(9_000);
    assertThat(reason(trial.ask(route, null, false))).contains("breaker");
    pass(2_000);

    assertThat(reason(trial.ask(route, null, false))).isEmpty();
    assertThat(state()).isEqualTo(PodLoad.BreakerState.PROBING);
    ask(route, Breaker.PROBES - 1);

    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void bad_probes_open_it_again() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.SERVER_ERROR);
    ask(route, WINDOW);
    pass(11_000);
    ask(route, Breaker.PROBES);

    assertThat(state()).isEqualTo(PodLoad.BreakerState.OPEN);
    assertThat(reason(trial.ask(route, null, false))).contains("breaker");
    assertThat(asked).hasValue(WINDOW + Breaker.PROBES);
  }

  @Test
  void no_more_calls_than_probes_go_out_while_it_probes() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.SERVER_ERROR);
    ask(route, WINDOW);
    asked.set(0);
    pass(11_000);
    backend = reranks(150);

    List<Answer> answers = trial.askTogether(route, 10);

    assertThat(asked).hasValue(Breaker.PROBES);
    assertThat(answers.stream().filter(a -> reason(a).isEmpty())).hasSize(Breaker.PROBES);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void calls_that_earlier_stages_left_no_time_do_not_count() throws Exception {
    Route route =
        Routes.of(
                BudgetDraft.of("1s")
                    .stages(
                        search().cap("900ms"),
                        rerank().cap("200ms").breaker(0.5, 0.5, WINDOW, "10s"),
                        generate().floor("100ms")))
            .port("search", trial.finds(750, "a", "b"))
            .port("rerank", reranks(60_000))
            .port("generate", trial.writes(10, "Well."))
            .route();
    ask(route, 3 * WINDOW);

    assertThat(trial.told.end("rerank").cut()).isEqualTo(Cut.DEADLINE);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void callers_who_leave_do_not_count_and_block_no_probe() throws Exception {
    Route route = route(guarded());
    backend = fails(Kind.SERVER_ERROR);
    ask(route, WINDOW);
    pass(11_000);
    backend = reranks(150);
    for (int i = 0; i < 5; i++) {
      trial.askAndLeaveAfter(route, 50);
    }
    assertThat(trial.told.abandoned).hasSize(5);

    ask(route, Breaker.PROBES);

    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  private Routes guardedSearch(StageDraft search, PassageSearch primary) {
    return Routes.of(BudgetDraft.of("3s").stages(search, generate().floor("1s")))
        .port("search", primary)
        .fallback("search", trial.finds(20, "b"))
        .port("generate", trial.writes(100, "Well."));
  }

  @Test
  void an_open_breaker_goes_straight_to_the_fallback() throws Exception {
    StageDraft stage =
        search()
            .cap("1s")
            .degradeAfter("300ms")
            .fallback("500ms", "300ms")
            .breaker(0.5, 0.5, WINDOW, "10s");
    Route route = guardedSearch(stage, trial.finds(60_000, "a")).route();
    ask(route, WINDOW);
    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.LOST);

    Answer answer = trial.ask(route, null, false);

    assertThat(answer.firstTokenNanos()).isEqualTo((20 + 100) * MS);
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void a_primary_that_lost_because_time_was_short_does_not_count() throws Exception {
    StageDraft stage =
        search()
            .cap("1s")
            .degradeAfter("800ms")
            .fallback("500ms", "300ms")
            .breaker(0.5, 0.5, WINDOW, "10s");
    // 1900 − 50 − 1000 − 500 = 350: the fallback starts long before the declared moment.
    Route route =
        Routes.of(BudgetDraft.of("1s900ms").stages(stage, generate().floor("1s")))
            .port("search", trial.finds(500, "a"))
            .fallback("search", trial.finds(20, "b"))
            .port("generate", trial.writes(100, "Well."))
            .route();
    ask(route, 3 * WINDOW);

    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.LOST);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void what_a_retry_has_cured_is_no_failure() throws Exception {
    Route route = route(guarded().retry("5ms", "5ms", "50ms", "50ms"));
    backend =
        (call, question, passages) ->
            call.role() == StageCall.Role.PRIMARY
                ? trial.fails(1, Kind.UNAVAILABLE)
                : PassagesFound.whole(passages);
    ask(route, 2 * WINDOW);

    assertThat(trial.told.callsOf("rerank")).hasSize(4 * WINDOW);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void without_its_turn_at_a_full_backend_a_call_does_not_count() throws Exception {
    Route route =
        Routes.of(
                BudgetDraft.of("3s").stages(search().cap("1s"), guarded(), generate().floor("1s")))
            .port("search", trial.finds(10, "a", "b"))
            .port(
                "rerank",
                (Reranker)
                    (call, question, passages) -> {
                      trial.machinery.takes(190 * MS);
                      return PassagesFound.whole(passages);
                    })
            .port("generate", trial.writes(100, "Well."))
            .limit("rerank", 1)
            .route();

    List<Answer> answers = trial.askTogether(route, 20);

    assertThat(answers.stream().filter(a -> reason(a).equals(Optional.of("overload")))).hasSize(18);
    assertThat(state()).isEqualTo(PodLoad.BreakerState.CLOSED);
  }

  @Test
  void it_stays_open_through_a_new_plan_with_the_same_settings_and_not_with_others()
      throws Exception {
    backend = fails(Kind.SERVER_ERROR);
    ask(route(guarded()), WINDOW);
    backend = reranks(10);

    assertThat(reason(trial.ask(route(guarded()), null, false))).contains("breaker");
    assertThat(reason(trial.ask(route(guarded().breaker(0.6, 0.5, WINDOW, "10s")), null, false)))
        .isEmpty();
  }

  @Test
  void the_backend_of_a_lower_level_has_a_breaker_of_its_own() throws Exception {
    StageDraft stage = rewrite().cap("200ms").breaker(0.5, 0.5, WINDOW, "10s");
    Rewriter broken = (call, question, earlier, instructions) -> trial.fails(10, Kind.SERVER_ERROR);
    Routes routes =
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(stage, generate().floor("500ms"))
                    .level("full", "2s", List.of())
                    .level("fast", "1s", List.of()))
            .port("rewrite", broken)
            .from("fast", "rewrite", Routes.form("small", trial.rewrites(10)))
            .port("generate", trial.writes(100, "Well."));
    ask(routes.route(), WINDOW);
    assertThat(reason(trial.ask(routes))).contains("breaker");

    assertThat(reason(trial.ask(routes.route(), 1500 * MS, false))).isEmpty();
  }

  @Test
  void a_model_that_is_left_alone_leaves_the_answer_to_the_next_rung() throws Exception {
    Routes routes =
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(generate().floor("500ms").breaker(0.5, 0.5, WINDOW, "10s"))
                    .level("full", "2s", List.of())
                    .level("minimal", "500ms", List.of()))
            .port(
                "generate",
                (Generator)
                    (call, prompt, sink) -> {
                      asked.incrementAndGet();
                      return trial.fails(10, Kind.SERVER_ERROR);
                    })
            .from("minimal", "generate", Routes.form("small", trial.writes(100, "Short.")));
    ask(routes.route(), WINDOW);
    trial.told.starts.clear();

    Answer answer = trial.ask(routes);

    assertThat(asked).hasValue(WINDOW);
    assertThat(answer.content()).isEqualTo("Short.");
    assertThat(answer.latencyNanos()).isEqualTo(100 * MS);
  }
}
