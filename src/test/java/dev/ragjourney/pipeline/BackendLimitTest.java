package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.support.Questions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many calls at once as a backend may have, in made time. */
@Timeout(120)
class BackendLimitTest {
  private final Trial trial = new Trial();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private Routes searching(StageDraft search, PassageSearch backend) {
    return Routes.of(BudgetDraft.of("3s").stages(search, generate().floor("1s")))
        .port("search", backend)
        .port("generate", trial.writes(100, "Well."));
  }

  private PassageSearch counting(long ms) {
    return (call, query) -> {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      try {
        trial.machinery.takes(ms * MS);
      } finally {
        inside.decrementAndGet();
      }
      return PassagesFound.whole(Trial.passages("a"));
    };
  }

  private void assertNothingHeld() {
    assertThat(trial.runner().load().inFlight().values()).containsOnly(0);
    assertThat(trial.machinery.pending()).isZero();
  }

  private static List<Long> firstTokens(List<Answer> answers) {
    return answers.stream().map(a -> a.firstTokenNanos() / MS).sorted().toList();
  }

  @Test
  void calls_beyond_the_limit_wait_for_their_turn() throws Exception {
    Route route = searching(search().cap("1s"), counting(100)).limit("search", 2).route();

    List<Answer> answers = trial.askTogether(route, 6);

    assertThat(most).hasValue(2);
    assertThat(firstTokens(answers)).containsExactly(200L, 200L, 300L, 300L, 400L, 400L);
    assertThat(answers).extracting(Answer::outcome).containsOnly(Answer.Outcome.FULL);
    assertNothingHeld();
  }

  @Test
  void a_wait_counts_to_the_stage_and_not_to_the_call() throws Exception {
    trial.askTogether(searching(search().cap("1s"), counting(100)).limit("search", 1).route(), 3);

    assertThat(trial.told.ends.stream().filter(e -> e.stage().equals("search")))
        .extracting(e -> e.elapsedNanos() / MS)
        .containsExactlyInAnyOrder(100L, 200L, 300L);
    assertThat(trial.told.callsOf("search"))
        .extracting(c -> c.elapsedNanos() / MS)
        .containsOnly(100L);
  }

  @Test
  void a_wait_is_part_of_the_calls_own_time_and_ends_with_it() throws Exception {
    Route route = searching(search().cap("250ms"), counting(100)).limit("search", 1).route();

    List<Answer> answers = trial.askTogether(route, 5);

    assertThat(answers.stream().filter(a -> !a.noContext())).hasSize(2);
    assertThat(trial.told.skips)
        .containsExactlyInAnyOrder(
            new Answer.Skipped("search", "timeout"),
            new Answer.Skipped("search", "overload"),
            new Answer.Skipped("search", "overload"));
    assertThat(answers).allMatch(a -> a.latencyNanos() <= (250 + 100) * MS);
    assertNothingHeld();
  }

  @Test
  void an_optional_stage_without_its_turn_is_skipped_as_overload() throws Exception {
    Route route =
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s"), rerank().cap("200ms"), generate().floor("1s")))
            .port("search", trial.finds(10, "a", "b"))
            .port("rerank", trial.reverses(60_000))
            .port("generate", trial.writes(100, "Well."))
            .limit("rerank", 1)
            .route();

    List<Answer> answers = trial.askTogether(route, 2);

    assertThat(answers)
        .extracting(a -> a.skipped().getFirst().reason())
        .containsExactlyInAnyOrder("timeout", "overload");
    assertThat(trial.told.starts.stream().filter(s -> s.stage().equals("rerank"))).hasSize(1);
    assertThat(trial.told.ends.stream().filter(s -> s.stage().equals("rerank"))).hasSize(1);
    assertThat(trial.told.callsOf("rerank")).hasSize(1);
  }

  @Test
  void a_fallback_of_the_same_backend_shares_the_limit() throws Exception {
    StageDraft stage = search().cap("1s").degradeAfter("100ms").fallback("500ms", "300ms");
    Routes routes =
        searching(stage, counting(200))
            .fallback("search", Routes.form("search", counting(10)))
            .limit("search", 1);

    Answer answer = trial.ask(routes);

    assertThat(most).hasValue(1);
    assertThat(answer.outcome()).as("the primary was there first").isEqualTo(Answer.Outcome.FULL);
    assertThat(trial.told.callsOf("search")).hasSize(1);
    trial.machinery.awaitEnded();
    assertNothingHeld();
  }

  @Test
  void a_stage_whose_backend_is_full_falls_back_to_another() throws Exception {
    StageDraft stage = search().cap("300ms").degradeAfter("100ms").fallback("500ms", "300ms");
    Route route =
        searching(stage, trial.finds(60_000, "a"))
            .fallback("search", trial.finds(50, "b"))
            .limit("search", 1)
            .route();

    List<Answer> answers = trial.askTogether(route, 3);

    assertThat(firstTokens(answers)).containsExactly(250L, 250L, 250L);
    assertThat(answers)
        .allSatisfy(a -> assertThat(a.sources()).extracting(Passage::id).containsExactly("b"));
    assertNothingHeld();
  }

  @Test
  void a_cut_call_keeps_its_place_until_its_work_has_ended() throws Exception {
    PassageSearch stubborn =
        (call, query) -> {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          trial.machinery.takesStubbornly(500 * MS);
          inside.decrementAndGet();
          return PassagesFound.whole(Trial.passages("a"));
        };
    Route route =
        Routes.of(BudgetDraft.of("3s").stages(search().cap("200ms"), generate().floor("100ms")))
            .port("search", stubborn)
            .port("generate", trial.writes(10, "Well."))
            .limit("search", 1)
            .route();

    trial.machinery.live(
        () -> {
          assertThat(askQuietly(route).skipped())
              .containsExactly(new Answer.Skipped("search", "timeout"));
          assertThat(trial.runner().load().inFlight()).containsEntry("search", 1);
          assertThat(askQuietly(route).skipped())
              .as("210 ms to 410 ms: the first one's work goes on until 500 ms")
              .containsExactly(new Answer.Skipped("search", "overload"));
          assertThat(askQuietly(route).skipped())
              .as("from 420 ms: its turn comes at 500 ms")
              .containsExactly(new Answer.Skipped("search", "timeout"));
          return null;
        });

    trial.machinery.awaitEnded();
    assertThat(most).hasValue(1);
    assertNothingHeld();
  }

  @Test
  void a_model_keeps_its_place_until_its_stream_has_ended() throws Exception {
    Route route =
        Routes.of(BudgetDraft.of("3s").stages(generate().floor("100ms")))
            .port("generate", trial.writes(100, 300, "One ", "two ", "three."))
            .limit("generate", 1)
            .route();

    List<Answer> answers = trial.askTogether(route, 2);

    assertThat(firstTokens(answers)).containsExactly(100L, 700L + 100L);
    assertNothingHeld();
  }

  @Test
  void a_model_without_its_turn_leaves_the_answer_to_the_next_rung() throws Exception {
    Route route =
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(generate().cap("1s").floor("100ms"))
                    .level("full", "2s", List.of())
                    .level("minimal", "500ms", List.of()))
            .port("generate", trial.writes(60_000, "never"))
            .from("minimal", "generate", Routes.form("small", trial.writes(100, "Short.")))
            .limit("generate", 1)
            .route();

    List<Answer> answers = trial.askTogether(route, 2);

    assertThat(answers).extracting(Answer::content).containsOnly("Short.");
    assertThat(trial.told.starts).hasSize(1);
    assertNothingHeld();
  }

  @Test
  void who_leaves_gives_the_place_in_line_up() throws Exception {
    Route route = searching(search().cap("1s"), counting(300)).limit("search", 1).route();
    Caller leaving = new Caller();
    trial.machinery.live(
        () -> {
          trial.machinery.start(false, () -> askQuietly(route));
          trial.machinery.start(
              false,
              () -> {
                try {
                  trial.machinery.takes(50 * MS);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                leaving.left();
              });
          trial.machinery.takes(10 * MS);
          assertThatThrownBy(
                  () ->
                      trial
                          .runner()
                          .run(
                              route,
                              Questions.asked(trial.machinery.time().nanos(), null, false),
                              content -> {},
                              leaving))
              .isInstanceOf(CallCancelledException.class);
          return null;
        });

    trial.machinery.awaitEnded();
    assertThat(trial.told.callsOf("search")).hasSize(1);
    assertNothingHeld();
  }

  @Test
  void what_is_in_flight_lives_on_when_the_plan_changes_and_a_raised_limit_counts_at_once()
      throws Exception {
    Routes routes = searching(search().cap("1s"), counting(300));
    Route narrow = routes.limit("search", 1).route();
    Route wide = routes.limit("search", 3).route();

    trial.machinery.live(
        () -> {
          trial.machinery.start(false, () -> askQuietly(narrow));
          trial.machinery.start(false, () -> askQuietly(narrow));
          trial.machinery.takes(100 * MS);
          assertThat(most).hasValue(1);
          trial.machinery.start(false, () -> askQuietly(wide));
          trial.machinery.takes(100 * MS);
          assertThat(trial.runner().load().inFlight()).containsEntry("search", 3);
          return null;
        });

    trial.machinery.awaitEnded();
    assertThat(most).hasValue(3);
    assertNothingHeld();
  }

  private Answer askQuietly(Route route) {
    try {
      return trial
          .runner()
          .run(
              route,
              Questions.asked(trial.machinery.time().nanos(), null, false),
              content -> {},
              Cancellation.NONE);
    } catch (CallCancelledException e) {
      throw new AssertionError("nobody left", e);
    }
  }
}
