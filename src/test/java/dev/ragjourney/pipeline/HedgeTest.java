package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.pipeline.BackendException.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The second copy of a slow call, in made time. */
@Timeout(120)
class HedgeTest {
  private final Trial trial = new Trial();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void nothing_is_left_behind() {
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).isZero();
    assertThat(trial.runner().load().inFlight().values()).containsOnly(0);
  }

  private Routes searching(StageDraft search, PassageSearch backend) {
    return Routes.of(BudgetDraft.of("3s").stages(search, generate().floor("1s")))
        .port("search", backend)
        .port("generate", trial.writes(100, "Well."));
  }

  private static StageDraft hedged() {
    return search().cap("1s").hedge("250ms", 4, 1);
  }

  /** The first call takes so long, the others so long. */
  private PassageSearch takes(long firstMs, long othersMs) {
    return (call, query) -> {
      boolean first = asked.incrementAndGet() == 1;
      trial.machinery.takes((first ? firstMs : othersMs) * MS);
      return PassagesFound.whole(Trial.passages(first ? "a" : "b"));
    };
  }

  private List<String> calls() {
    return trial.told.callsOf("search").stream()
        .map(
            c -> "%s %s %d".formatted(c.role().label(), c.outcome().label(), c.elapsedNanos() / MS))
        .toList();
  }

  @Test
  void a_call_in_time_is_made_once() throws Exception {
    trial.ask(searching(hedged(), takes(249, 1)));

    assertThat(calls()).containsExactly("primary success 249");
    assertThat(trial.told.hedges).isEmpty();
  }

  @Test
  void a_second_copy_that_answers_first_closes_the_first_and_the_answer_is_full() throws Exception {
    Answer answer = trial.ask(searching(hedged(), takes(60_000, 100)));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((250 + 100 + 100) * MS);
    assertThat(calls()).containsExactly("primary timeout 350", "hedge success 100");
    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.LOST);
    assertThat(trial.told.end("search").resultOutcome()).isEqualTo(StageOutcome.SUCCESS);
    assertThat(trial.told.hedges).containsExactly("search won");
  }

  @Test
  void a_first_copy_that_answers_first_closes_the_second() throws Exception {
    Answer answer = trial.ask(searching(hedged(), takes(400, 60_000)));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
    assertThat(calls()).containsExactly("primary success 400", "hedge timeout 150");
    assertThat(trial.told.hedges).containsExactly("search lost");
  }

  @Test
  void a_first_copy_that_fails_leaves_the_second_running() throws Exception {
    PassageSearch backend =
        (call, query) -> {
          if (asked.incrementAndGet() == 1) {
            return trial.fails(300, Kind.SERVER_ERROR);
          }
          trial.machinery.takes(200 * MS);
          return PassagesFound.whole(Trial.passages("b"));
        };

    Answer answer = trial.ask(searching(hedged(), backend));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(calls()).containsExactly("primary error 300", "hedge success 200");
  }

  @Test
  void a_first_copy_that_fails_alone_gets_no_second() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                hedged(),
                (call, query) -> {
                  asked.incrementAndGet();
                  return trial.fails(100, Kind.UNAVAILABLE);
                }));

    assertThat(answer.noContext()).isTrue();
    assertThat(asked).hasValue(1);
  }

  @Test
  void a_second_copy_that_fails_leaves_the_first_running() throws Exception {
    PassageSearch backend =
        (call, query) -> {
          if (asked.incrementAndGet() == 1) {
            trial.machinery.takes(600 * MS);
            return PassagesFound.whole(Trial.passages("a"));
          }
          return trial.fails(50, Kind.UNAVAILABLE);
        };

    Answer answer = trial.ask(searching(hedged(), backend));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void both_copies_end_with_the_stage() throws Exception {
    Answer answer = trial.ask(searching(hedged(), takes(60_000, 60_000)));

    assertThat(answer.noContext()).isTrue();
    assertThat(answer.firstTokenNanos()).isEqualTo(1100 * MS);
    assertThat(calls()).containsExactly("primary timeout 1000", "hedge timeout 750");
  }

  @Test
  void an_attempt_with_both_copies_failed_is_tried_again() throws Exception {
    StageDraft stage =
        search().cap("1s").retry("50ms", "50ms", "500ms", "300ms").hedge("100ms", 4, 1);
    PassageSearch backend =
        (call, query) -> {
          if (asked.incrementAndGet() < 3) {
            return trial.fails(150, Kind.UNAVAILABLE);
          }
          trial.machinery.takes(20 * MS);
          return PassagesFound.whole(Trial.passages("a"));
        };

    Answer answer = trial.ask(searching(stage, backend));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(calls())
        .containsExactlyInAnyOrder("primary error 150", "hedge error 150", "retry success 20");
    assertThat(answer.firstTokenNanos()).isEqualTo((250 + 50 + 20 + 100) * MS);
  }

  @Test
  void what_is_not_repeatable_has_one_copy() throws Exception {
    PassageSearch slow = takes(600, 1);
    PassageSearch changesSomething = Trial.notRepeatable(slow);

    trial.ask(searching(hedged(), changesSomething));

    assertThat(asked).hasValue(1);
    assertThat(trial.told.hedges).isEmpty();
  }

  @Test
  void only_so_many_second_copies_run_at_once() throws Exception {
    StageDraft stage = search().cap("1s").hedge("250ms", 2, 1);

    trial.askTogether(searching(stage, trial.finds(600, "a")).route(), 5);

    assertThat(trial.told.callsOf("search").stream().filter(c -> c.role().label().equals("hedge")))
        .hasSize(2);
    assertThat(trial.told.hedges)
        .containsExactlyInAnyOrder(
            "search lost", "search lost", "search limited", "search limited", "search limited");
  }

  @Test
  void a_second_copy_counts_as_running_until_its_work_has_ended() throws Exception {
    PassageSearch backend =
        (call, query) -> {
          if (call.role() == StageCall.Role.HEDGE) {
            trial.machinery.takesStubbornly(2_000 * MS);
          } else {
            trial.machinery.takes(400 * MS);
          }
          return PassagesFound.whole(Trial.passages("a"));
        };
    Route route = searching(search().cap("1s").hedge("250ms", 1, 1), backend).route();

    trial.machinery.live(
        () -> {
          trial.answer(route);
          return trial.answer(route);
        });
    assertThat(trial.told.hedges).containsExactly("search lost", "search limited");
  }

  @Test
  void only_a_share_of_the_calls_gets_a_second_copy() throws Exception {
    Route route =
        searching(search().cap("1s").hedge("250ms", 4, 0.05), trial.finds(400, "a")).route();

    for (int i = 0; i < 100; i++) {
      trial.ask(route, null, false);
    }

    long copies =
        trial.told.callsOf("search").stream().filter(c -> c.role() == StageCall.Role.HEDGE).count();
    // Ten from the full bucket, then one of twenty.
    assertThat(copies).isBetween(14L, 15L);
    assertThat(trial.told.hedges.stream().filter("search limited"::equals))
        .hasSize((int) (100 - copies));
  }

  @Test
  void a_second_copy_never_waits_for_room_at_its_backend() throws Exception {
    Routes routes = searching(hedged(), takes(60_000, 1)).limit("search", 1);

    Answer answer = trial.ask(routes);

    assertThat(asked).hasValue(1);
    assertThat(answer.noContext()).isTrue();
    assertThat(trial.told.hedges).containsExactly("search limited");
  }

  @Test
  void the_time_alone_is_counted_from_the_calls_own_start_and_not_from_its_place_in_line()
      throws Exception {
    Routes routes = searching(hedged(), trial.finds(240, "a")).limit("search", 2);

    List<Answer> answers = trial.askTogether(routes.route(), 4);

    assertThat(answers).extracting(Answer::outcome).containsOnly(Answer.Outcome.FULL);
    assertThat(trial.told.callsOf("search")).as("each 240 ms at the backend").hasSize(4);
    assertThat(trial.told.hedges).isEmpty();
  }

  @Test
  void a_fallback_that_wins_closes_both_copies() throws Exception {
    StageDraft stage =
        search().cap("1s").hedge("100ms", 4, 1).degradeAfter("300ms").fallback("500ms", "300ms");
    Routes routes =
        searching(stage, takes(60_000, 60_000)).fallback("search", trial.finds(50, "c"));

    Answer answer = trial.ask(routes);

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("c");
    assertThat(calls())
        .containsExactlyInAnyOrder(
            "primary timeout 350", "hedge timeout 250", "fallback success 50");
    assertThat(trial.told.hedges).containsExactly("search lost");
  }
}
