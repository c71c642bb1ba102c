package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keyword search that starts with the question, in made time. */
@Timeout(120)
class SpeculativeSearchTest {
  private final Trial trial = new Trial();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void nothing_is_left_running() {
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).as("deadlines left armed").isZero();
  }

  private static BudgetDraft threeSeconds(StageDraft search) {
    return BudgetDraft.of("3s")
        .stages(
            rewrite().cap("400ms"),
            stage("embed", StageType.EMBED).cap("200ms"),
            search,
            rerank().cap("300ms"),
            generate().floor("1s"));
  }

  /** Rewrites in 100 ms, embeds in 50, so that the search begins after 150. */
  private Routes routes(StageDraft search, PassageSearch own, PassageSearch words) {
    return Routes.of(threeSeconds(search))
        .port("rewrite", trial.rewrites(100))
        .port("embed", trial.embeds(50))
        .port("search", asks("search", own))
        .speculative("search", asks("words", words))
        .port("rerank", (Reranker) (call, question, found) -> PassagesFound.whole(found))
        .port("generate", trial.writes(100, "Well."));
  }

  private PassageSearch asks(String who, PassageSearch search) {
    return (call, query) -> {
      asked.add(
          "%s at %d: %s%s"
              .formatted(
                  who,
                  trial.machinery.time().nanos() / MS - 1000,
                  query.text(),
                  query.keywordOnly() ? " by keyword" : ""));
      return search.search(call, query);
    };
  }

  private PassageSearch fails(long ms) {
    return (call, query) -> trial.fails(ms, BackendException.Kind.UNAVAILABLE);
  }

  private String words() {
    return trial.told.calls.stream()
        .filter(call -> call.role() == StageCall.Role.SPECULATIVE)
        .map(call -> call.outcome().label() + " " + call.elapsedNanos() / MS)
        .reduce("", (all, one) -> all + one);
  }

  @Test
  void it_starts_with_the_question_and_is_merged_with_what_the_stage_finds() throws Exception {
    Answer answer =
        trial.ask(
            routes(
                search().cap("1s"), trial.finds(200, "a", "b", "c"), trial.finds(250, "c", "d")));

    assertThat(asked).containsExactly("words at 0: why? by keyword", "search at 150: rewritten");
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("c", "a", "b", "d");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 50 + 200 + 100) * MS);
    assertThat(words()).isEqualTo("success 250");
    assertThat(trial.told.end("search").elapsedNanos()).isEqualTo(200 * MS);
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("rewrite", "embed", "search", "rerank", "generate");
  }

  @Test
  void what_is_merged_is_cut_to_what_the_level_wants() throws Exception {
    Routes routes =
        routes(search().cap("1s"), trial.finds(1), trial.finds(10, "c", "d", "e"))
            .form(
                "search",
                Routes.topK(Routes.form("search", trial.finds(1, "a", "b", "c", "d")), 3));

    assertThat(trial.ask(routes).sources()).extracting(Passage::id).containsExactly("c", "a", "b");
  }

  @Test
  void a_stage_that_is_ready_first_does_not_wait_for_it() throws Exception {
    Answer answer =
        trial.ask(routes(search().cap("1s"), trial.finds(200, "a"), trial.finds(60_000, "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(words()).isEqualTo("cancelled 350");
  }

  @Test
  void it_is_used_alone_at_once_where_the_search_fails() throws Exception {
    Answer answer = trial.ask(routes(search().cap("1s"), fails(30), trial.finds(100, "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("d");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped()).isEmpty();
    assertThat(answer.firstTokenNanos()).isEqualTo((150 + 30 + 100) * MS);
    JourneyListener.StageEnd end = trial.told.end("search");
    assertThat(end.outcome()).isEqualTo(StageOutcome.ERROR);
    assertThat(end.resultOutcome()).isEqualTo(StageOutcome.DEGRADED);
    assertThat(end.degradedReason()).isEqualTo("speculative");
  }

  @Test
  void it_is_used_alone_where_the_search_is_late_past_its_allowance() throws Exception {
    Answer answer =
        trial.ask(routes(search().cap("500ms"), trial.finds(60_000, "a"), trial.finds(100, "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("d");
    assertThat(answer.firstTokenNanos()).isEqualTo((150 + 500 + 100) * MS);
    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.CAP);
    assertThat(trial.told.end("search").degradedReason()).isEqualTo("speculative");
  }

  @Test
  void it_is_waited_for_until_the_stages_end_where_the_search_has_failed() throws Exception {
    Answer answer = trial.ask(routes(search().cap("500ms"), fails(30), trial.finds(600, "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("d");
    assertThat(answer.firstTokenNanos()).isEqualTo((600 + 100) * MS);
  }

  @Test
  void it_never_outlives_its_stage() throws Exception {
    Answer answer = trial.ask(routes(search().cap("500ms"), fails(30), trial.finds(60_000, "d")));

    assertThat(answer.noContext()).isTrue();
    assertThat(answer.skipped()).contains(new Answer.Skipped("search", "error"));
    assertThat(words()).isEqualTo("timeout 650");
  }

  @Test
  void without_an_embedding_the_same_words_are_not_searched_for_twice() throws Exception {
    Embedder failing = (call, text) -> trial.fails(50, BackendException.Kind.UNAVAILABLE);
    Rewriter late = trial.rewrites(60_000);

    Answer answer =
        trial.ask(
            routes(search().cap("1s"), trial.finds(200, "a"), trial.finds(500, "d"))
                .port("embed", failing)
                .port("rewrite", late));

    assertThat(asked).containsExactly("words at 0: why? by keyword");
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("d");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    // The rewrite until its cap, the embedding until it failed, what was left of the search.
    assertThat(answer.firstTokenNanos()).isEqualTo((500 + 100) * MS);
  }

  @Test
  void without_an_embedding_rewritten_words_are_searched_for_too() throws Exception {
    Embedder failing = (call, text) -> trial.fails(50, BackendException.Kind.UNAVAILABLE);

    Answer answer =
        trial.ask(
            routes(search().cap("1s"), trial.finds(200, "a"), trial.finds(100, "d"))
                .port("embed", failing));

    assertThat(asked)
        .containsExactly("words at 0: why? by keyword", "search at 150: rewritten by keyword");
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a", "d");
  }

  @Test
  void the_stage_asks_by_itself_where_it_failed() throws Exception {
    Embedder failing = (call, text) -> trial.fails(50, BackendException.Kind.UNAVAILABLE);

    Answer answer =
        trial.ask(
            routes(search().cap("1s"), trial.finds(200, "a"), fails(460))
                .port("rewrite", trial.rewrites(60_000))
                .port("embed", failing));

    assertThat(asked)
        .containsExactly("words at 0: why? by keyword", "search at 460: why? by keyword");
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
  }

  @Test
  void a_search_that_looks_for_words_too_is_not_merged_with_the_same_words() throws Exception {
    PassageSearch both =
        new PassageSearch() {
          @Override
          public PassagesFound search(StageCall call, SearchQuery query) {
            return PassagesFound.whole(Trial.passages("a", "b"));
          }

          @Override
          public boolean searchesBoth() {
            return true;
          }
        };
    Routes routes =
        routes(search().cap("1s"), both, trial.finds(10, "b", "c")).port("search", both);

    Answer rewritten = trial.ask(routes);
    Answer raw = trial.ask(routes.port("rewrite", trial.rewrites(60_000)));

    assertThat(rewritten.sources()).extracting(Passage::id).containsExactly("b", "a", "c");
    assertThat(raw.sources()).extracting(Passage::id).containsExactly("a", "b");
  }

  @Test
  void with_its_result_in_hand_no_fallback_is_started() throws Exception {
    Answer answer =
        trial.ask(
            routes(
                    search().cap("500ms").degradeAfter("200ms").fallback("500ms", "300ms"),
                    trial.finds(60_000, "a"),
                    trial.finds(100, "d"))
                .fallback("search", trial.finds(10, "f")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("d");
    assertThat(trial.told.callsOf("search"))
        .extracting(call -> call.role().label())
        .doesNotContain("fallback");
    assertThat(answer.firstTokenNanos()).isEqualTo((150 + 500 + 100) * MS);
  }

  @Test
  void while_it_runs_the_fallback_starts_as_ever() throws Exception {
    Answer answer =
        trial.ask(
            routes(
                    search().cap("500ms").degradeAfter("200ms").fallback("500ms", "300ms"),
                    trial.finds(60_000, "a"),
                    trial.finds(60_000, "d"))
                .fallback("search", trial.finds(10, "f")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("f");
    assertThat(trial.told.end("search").degradedReason()).isEqualTo("fallback_query");
  }

  @Test
  void a_rerank_that_is_late_leaves_the_merged_order() throws Exception {
    Answer answer =
        trial.ask(
            routes(search().cap("1s"), trial.finds(200, "a", "b"), trial.finds(10, "b", "c"))
                .port("rerank", trial.reverses(60_000)));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b", "a", "c");
  }

  @Test
  void it_is_not_started_at_a_level_that_does_not_search() throws Exception {
    BudgetDraft draft =
        threeSeconds(search().cap("1s"))
            .level("full", "2s500ms", List.of())
            .level("fast", "1s", List.of("search", "rerank"));
    Routes routes =
        Routes.of(draft)
            .port("rewrite", trial.rewrites(10))
            .port("embed", trial.embeds(10))
            .port("search", asks("search", trial.finds(10, "a")))
            .speculative("search", asks("words", trial.finds(10, "d")))
            .port("rerank", trial.reverses(10))
            .port("generate", trial.writes(100, "Well."));

    trial.ask(routes.route(), 2000 * MS, false);

    assertThat(asked).isEmpty();
  }

  @Test
  void it_is_closed_when_the_level_falls_to_one_that_does_not_search() throws Exception {
    BudgetDraft draft =
        threeSeconds(search().cap("1s"))
            .level("full", "2s500ms", List.of(), BudgetDraft.at("embed", "2s900ms", null))
            .level("fast", "1s", List.of("search", "rerank"));
    Routes routes =
        Routes.of(draft)
            .port("rewrite", trial.rewrites(300))
            .port("embed", trial.embeds(50))
            .port("search", asks("search", trial.finds(10, "a")))
            .speculative("search", asks("words", trial.finds(60_000, "d")))
            .port("rerank", trial.reverses(10))
            .port("generate", trial.writes(100, "Well."));

    trial.ask(routes);

    assertThat(asked).containsExactly("words at 0: why? by keyword");
    assertThat(words()).isEqualTo("cancelled 300");
  }

  @Test
  void it_does_not_wait_in_line_for_a_backend_that_has_enough_to_do() throws Exception {
    Answer answer =
        trial.ask(
            routes(search().cap("1s"), trial.finds(10, "a"), trial.finds(10, "d"))
                .limit("search", 0));

    assertThat(asked).isEmpty();
    assertThat(words()).isEmpty();
    assertThat(answer.skipped()).contains(new Answer.Skipped("search", "overload"));
  }

  @Test
  void it_is_closed_when_the_caller_leaves() {
    LeavingCaller caller = new LeavingCaller();
    Route route =
        routes(search().cap("1s"), trial.finds(10, "a"), trial.finds(60_000, "d"))
            .port(
                "rewrite",
                (Rewriter)
                    (call, question, earlier, instructions) -> {
                      trial.machinery.takes(20 * MS);
                      caller.leave();
                      return "rewritten";
                    })
            .route();

    assertThatThrownBy(
            () ->
                trial.machinery.live(
                    () ->
                        trial
                            .runner()
                            .run(
                                route,
                                Questions.asked(trial.machinery.time().nanos(), null, false),
                                text -> {},
                                caller)))
        .isInstanceOf(CallCancelledException.class);
    assertThat(words()).isEqualTo("cancelled 20");
  }

  @Test
  void a_route_whose_early_search_is_no_keyword_search_is_refused() {
    StageRoute wrong =
        new StageRoute(
            "search",
            List.of(Routes.form("s", trial.finds(1)), Routes.form("s", trial.finds(1))),
            null,
            Routes.form("s", trial.finds(1)));
    Route route =
        Routes.of(BudgetDraft.of("3s").stages(search().cap("1s"), generate().floor("1s")))
            .port("search", trial.finds(1))
            .port("generate", trial.writes(1, "Well."))
            .route();
    Route broken =
        new Route(
            route.namespace(),
            route.journey(),
            route.revision(),
            route.budget(),
            List.of(wrong, route.stages().getLast()),
            route.backendLimits(),
            route.staticMessage(),
            route.hints(),
            route.refuseWithoutContext(),
            route.policy(),
            null);

    assertThatThrownBy(() -> trial.runner().prepare(broken))
        .hasMessageContaining("no keyword search");
  }
}
