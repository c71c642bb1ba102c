package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that go on after their cap has cut them off, in made time. Chance takes every one. */
@Timeout(120)
class LateSamplingTest {
  private static final JourneyPolicy EVERY_ONE = learning(1);

  private final Trial trial = new Trial();
  private final AtomicInteger closed = new AtomicInteger();

  private static JourneyPolicy learning(double lateShare) {
    return new JourneyPolicy(Enforcement.ENFORCE, true, 0, null, new LearningPolicy(lateShare, 0));
  }

  private BudgetDraft draft() {
    return BudgetDraft.of("3s")
        .stages(search().cap("1s"), rerank().cap("300ms"), generate().floor("1s"));
  }

  private Routes reranking(Reranker reranker) {
    return Routes.of(draft())
        .port("search", trial.finds(100, "a", "b"))
        .port("rerank", reranker)
        .port("generate", trial.writes(200, "Well."))
        .policy(EVERY_ONE);
  }

  /** A rerank whose connection is closed when it is given up. */
  private Reranker takes(long ms) {
    return (call, question, passages) -> {
      call.cancellation().onCancel(closed::incrementAndGet);
      trial.machinery.takes(ms * MS);
      return PassagesFound.whole(passages);
    };
  }

  private Answer ask(Routes routes) throws Exception {
    Answer answer = trial.ask(routes);
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).as("deadlines left armed").isZero();
    assertThat(trial.runner().load().inFlight().values()).as("places held").containsOnly(0);
    return answer;
  }

  @Test
  void a_sampled_call_is_cut_for_the_journey_and_recorded_when_it_ends() throws Exception {
    ask(reranking(takes(700)));

    JourneyListener.StageEnd cut = trial.told.end("rerank");
    assertThat(cut.outcome()).isEqualTo(StageOutcome.TIMEOUT);
    assertThat(cut.cut()).isEqualTo(Cut.CAP);
    assertThat(cut.elapsedNanos()).isEqualTo(300 * MS);
    assertThat(trial.told.sampled).containsExactly("rerank");
    assertThat(trial.told.late).hasSize(1);
    JourneyListener.LateEnd late = trial.told.late.getFirst();
    assertThat(late.outcome()).isEqualTo(StageOutcome.SUCCESS);
    assertThat(late.form().variant()).isEqualTo("v0");
    assertThat(late.elapsedNanos()).isEqualTo(700 * MS);
    assertThat(closed).hasValue(0);
  }

  @Test
  void the_answer_is_the_same_at_the_same_nanosecond_with_and_without() throws Exception {
    Answer with = ask(reranking(takes(700)));
    List<JourneyListener.BackendCall> calls = List.copyOf(trial.told.callsOf("rerank"));
    trial.told.forget();
    Answer without = ask(reranking(takes(700)).policy(JourneyPolicy.PLAIN));

    assertThat(with).isEqualTo(without);
    assertThat(with.skipped()).containsExactly(new Answer.Skipped("rerank", "timeout"));
    assertThat(with.firstTokenNanos()).isEqualTo((100 + 300 + 200) * MS);
    assertThat(calls)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("route")
        .isEqualTo(trial.told.callsOf("rerank"));
    assertThat(closed).as("without, the call ends at the cut").hasValue(1);
    assertThat(trial.told.late).isEmpty();
  }

  @Test
  void one_that_has_not_ended_at_the_journeys_total_is_given_up_then() throws Exception {
    ask(reranking(takes(60_000)));

    assertThat(trial.told.late)
        .extracting(JourneyListener.LateEnd::outcome, end -> end.elapsedNanos() / MS)
        .containsExactly(tuple(StageOutcome.TIMEOUT, 3_000L));
    assertThat(closed).hasValue(1);
  }

  @Test
  void one_that_fails_late_is_an_error() throws Exception {
    ask(reranking((call, q, p) -> trial.fails(700, BackendException.Kind.UNAVAILABLE)));

    assertThat(trial.told.late)
        .extracting(JourneyListener.LateEnd::outcome)
        .containsExactly(StageOutcome.ERROR);
  }

  @Test
  void it_is_not_told_that_it_was_cut() throws Exception {
    ask(
        reranking(
            (call, question, passages) -> {
              trial.machinery.takes(700 * MS);
              assertThat(call.cancellation().cancelled()).isFalse();
              return PassagesFound.whole(passages);
            }));

    assertThat(trial.told.late).extracting(e -> e.outcome()).containsExactly(StageOutcome.SUCCESS);
  }

  @Test
  void a_call_that_chance_does_not_take_is_closed_at_the_cut() throws Exception {
    trial.machinery.chance(() -> 0.999);
    ask(reranking(takes(700)).policy(learning(0.5)));

    assertThat(trial.told.sampled).isEmpty();
    assertThat(closed).hasValue(1);
  }

  @Test
  void at_most_four_of_a_stage_go_on_at_a_time() throws Exception {
    trial.askTogether(reranking(takes(60_000)).route(), 10);

    assertThat(trial.told.sampled).hasSize(LateSampling.MOST);
    assertThat(closed).hasValue(10);
  }

  @Test
  void a_late_call_keeps_its_place_until_it_has_ended_and_none_goes_on_where_places_are_scarce()
      throws Exception {
    Route route = reranking(takes(2_000)).limit("rerank", 2).route();
    trial.machinery.live(
        () -> {
          trial.answer(route);
          assertThat(trial.runner().load().inFlight()).containsEntry("rerank", 1);
          // A second one beside it would take the last place.
          trial.answer(route);
          return null;
        });
    trial.machinery.awaitEnded();
    assertThat(trial.told.sampled).hasSize(1);
    assertThat(trial.runner().load().inFlight().values()).containsOnly(0);

    trial.told.forget();
    ask(reranking(takes(700)).limit("rerank", 1));
    assertThat(trial.told.sampled).as("the only place").isEmpty();
  }

  @Test
  void a_pod_with_too_much_to_do_lets_none_go_on() throws Exception {
    trial.runner().learnWhile(() -> false);
    ask(reranking(takes(700)));

    assertThat(trial.told.sampled).isEmpty();
    assertThat(closed).hasValue(1);
  }

  @Test
  void a_pod_that_goes_away_ends_them_at_once_and_says_nothing_of_their_time() throws Exception {
    trial.machinery.live(
        () -> {
          trial.answer(reranking(takes(60_000)).route());
          assertThat(closed).hasValue(0);
          trial.runner().endLearning();
          return null;
        });
    trial.machinery.awaitEnded();
    assertThat(closed).hasValue(1);
    assertThat(trial.told.late).isEmpty();
    assertThat(trial.machinery.pending()).isZero();

    trial.told.forget();
    ask(reranking(takes(700)));
    assertThat(trial.told.sampled).as("nor does any go on from then on").isEmpty();
  }

  @Test
  void a_call_whose_caller_left_does_not_go_on() throws Exception {
    trial.askAndLeaveAfter(reranking(takes(60_000)).route(), 200);

    assertThat(closed).hasValue(1);
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void a_call_cut_by_the_journeys_time_does_not_go_on() throws Exception {
    // 3 s − 50 ms − 1 s of generate's floor leave 1950 ms to a search that may take 2500.
    ask(
        Routes.of(BudgetDraft.of("3s").stages(search().cap("2500ms"), generate().floor("1s")))
            .port("search", trial.finds(2_200, "a"))
            .port("generate", trial.writes(200, "Well."))
            .policy(EVERY_ONE));

    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.DEADLINE);
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void a_first_attempt_cut_before_the_cap_does_not_go_on() throws Exception {
    ask(
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("1s").retry("10ms", "20ms", "300ms", "300ms"),
                        generate().floor("1s")))
            .port("search", trial.finds(500, "a"))
            .port("generate", trial.writes(200, "Well."))
            .policy(EVERY_ONE));

    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.CAP);
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void a_drill_does_not_go_on() throws Exception {
    trial.ask(
        reranking(takes(10)).route(),
        now ->
            new Question(
                "why?",
                List.of(),
                "",
                now,
                null,
                false,
                null,
                0,
                new Drill("rerank", Drill.Failure.TIMEOUT),
                null,
                null));
    trial.machinery.awaitEnded();

    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rerank", "drill"));
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void where_the_budget_is_only_observed_nothing_is_cut_and_nothing_sampled() throws Exception {
    ask(
        reranking(takes(700))
            .policy(
                new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, new LearningPolicy(1, 0))));

    assertThat(trial.told.end("rerank").outcome()).isEqualTo(StageOutcome.SUCCESS);
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void a_stage_with_a_fallback_is_not_sampled() throws Exception {
    ask(
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("300ms").degradeAfter("100ms").fallback("100ms", "300ms"),
                        generate().floor("1s")))
            .port("search", trial.finds(700, "a"))
            .fallback("search", trial.finds(700, "b"))
            .port("generate", trial.writes(200, "Well."))
            .policy(EVERY_ONE));

    assertThat(trial.told.end("search").outcome()).isEqualTo(StageOutcome.TIMEOUT);
    assertThat(trial.told.sampled).isEmpty();
  }

  /** A stage of the type that takes 700 ms, 300 ms being its cap. */
  private void assertSampled(boolean sampled, StageDraft stage, Consumer<Routes> port)
      throws Exception {
    trial.told.forget();
    Routes routes =
        Routes.of(BudgetDraft.of("3s").stages(stage.cap("300ms"), generate().floor("1s")))
            .port("generate", trial.writes(200, "Well."))
            .policy(EVERY_ONE);
    port.accept(routes);
    ask(routes);
    assertThat(trial.told.ends.getFirst().cut()).isEqualTo(Cut.CAP);
    assertThat(trial.told.sampled).hasSize(sampled ? 1 : 0);
  }

  @Test
  void embedding_search_and_tool_are_sampled_a_rewrite_is_not() throws Exception {
    assertSampled(
        true, stage("embed", StageType.EMBED), routes -> routes.port("embed", trial.embeds(700)));
    assertSampled(true, search(), routes -> routes.port("search", trial.finds(700, "a")));
    assertSampled(true, tool(), routes -> routes.port("tool", new SlowTool(true, false, false)));
    assertSampled(false, rewrite(), routes -> routes.port("rewrite", trial.rewrites(700)));
  }

  @Test
  void generation_is_never_sampled_even_with_a_cap_of_its_own() throws Exception {
    ask(
        Routes.of(BudgetDraft.of("3s").stages(search().cap("1s"), generate().cap("300ms")))
            .port("search", trial.finds(10, "a"))
            .port("generate", trial.writes(700, "Well."))
            .policy(EVERY_ONE));

    assertThat(trial.told.end("generate").cut()).isEqualTo(Cut.CAP);
    assertThat(trial.told.sampled).isEmpty();
  }

  @Test
  void a_tool_with_side_effects_is_not_sampled_with_or_without_a_key() throws Exception {
    assertSampled(false, tool(), routes -> routes.port("tool", new SlowTool(false, false, false)));
    assertSampled(false, tool(), routes -> routes.port("tool", new SlowTool(true, true, false)));
  }

  @Test
  void work_that_computes_in_the_pod_is_not_sampled() throws Exception {
    assertSampled(false, tool(), routes -> routes.port("tool", new SlowTool(true, false, true)));
  }

  private static StageDraft tool() {
    return stage("tool", StageType.TOOL).optional();
  }

  private final class SlowTool implements Tool {
    private final boolean repeatable;
    private final boolean keyed;
    private final boolean computes;

    SlowTool(boolean repeatable, boolean keyed, boolean computes) {
      this.repeatable = repeatable;
      this.keyed = keyed;
      this.computes = computes;
    }

    @Override
    public String call(StageCall call, ToolInput input) throws Exception {
      trial.machinery.takes(700 * MS);
      return "rain";
    }

    @Override
    public boolean repeatable() {
      return repeatable;
    }

    @Override
    public boolean keyed() {
      return keyed;
    }

    @Override
    public boolean holdsCarrier() {
      return computes;
    }
  }
}
