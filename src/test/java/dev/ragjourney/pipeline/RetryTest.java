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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explicit retries, in made time. */
@Timeout(120)
class RetryTest {
  private final Trial trial = new Trial();
  private final AtomicInteger asked = new AtomicInteger();

  private Routes searching(StageDraft search, PassageSearch backend) {
    return Routes.of(BudgetDraft.of("3s").stages(search, generate().floor("1s")))
        .port("search", backend)
        .port("generate", trial.writes(100, "Well."));
  }

  private static StageDraft retried() {
    return search().cap("1s").retry("80ms", "180ms", "500ms", "300ms");
  }

  /** Fails the first {@code times} calls after {@code ms}, then answers after 100 ms. */
  private PassageSearch failing(int times, long ms, BackendException failure) {
    return (call, query) -> {
      if (asked.incrementAndGet() <= times) {
        trial.machinery.takes(ms * MS);
        throw failure;
      }
      trial.machinery.takes(100 * MS);
      return PassagesFound.whole(Trial.passages("a"));
    };
  }

  private PassageSearch failing(int times, long ms, Kind kind) {
    return failing(times, ms, new BackendException(kind, "the backend said " + kind.label()));
  }

  private List<String> calls() {
    return trial.told.callsOf("search").stream()
        .map(
            c -> "%s %s %d".formatted(c.role().label(), c.outcome().label(), c.elapsedNanos() / MS))
        .toList();
  }

  @Test
  void a_reset_is_tried_again_after_the_backoff_and_the_answer_is_full() throws Exception {
    Answer answer = trial.ask(searching(retried(), failing(1, 50, Kind.UNAVAILABLE)));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 80 + 100 + 100) * MS);
    assertThat(calls()).containsExactly("primary error 50", "retry success 100");
    assertThat(trial.told.starts).hasSize(2);
    assertThat(trial.told.end("search").resultOutcome()).isEqualTo(StageOutcome.SUCCESS);
  }

  @Test
  void the_backoff_is_drawn_between_its_shortest_and_its_longest() throws Exception {
    trial.machinery.chance(() -> 0.5);

    Answer answer = trial.ask(searching(retried(), failing(1, 50, Kind.UNAVAILABLE)));

    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 130 + 100 + 100) * MS);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void only_a_failure_that_another_attempt_may_cure_is_tried_again(Kind kind) throws Exception {
    Answer answer = trial.ask(searching(retried(), failing(1, 50, kind)));

    boolean curable =
        kind == Kind.UNAVAILABLE || kind == Kind.BACKEND_TIMEOUT || kind == Kind.OVERLOADED;
    assertThat(asked).hasValue(curable ? 2 : 1);
    assertThat(answer.noContext()).isEqualTo(!curable);
  }

  @Test
  void an_answer_that_makes_no_sense_is_not_asked_for_again() throws Exception {
    PassageSearch nonsense =
        (call, query) -> {
          asked.incrementAndGet();
          return PassagesFound.whole(List.of(new Passage("a", "", "", Double.NaN)));
        };

    trial.ask(searching(retried(), nonsense));

    assertThat(asked).hasValue(1);
  }

  @Test
  void a_slow_attempt_is_cut_at_its_cap_and_not_tried_again() throws Exception {
    Answer answer = trial.ask(searching(retried(), trial.finds(60_000, "a")));

    assertThat(answer.noContext()).isTrue();
    assertThat(calls()).containsExactly("primary timeout 500");
    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.CAP);
  }

  @Test
  void every_attempt_has_its_own_cap() throws Exception {
    PassageSearch resetsThenHangs =
        (call, query) -> {
          if (asked.incrementAndGet() == 1) {
            return trial.fails(50, Kind.UNAVAILABLE);
          }
          trial.machinery.takes(60_000 * MS);
          return PassagesFound.whole(List.of());
        };

    trial.ask(searching(retried(), resetsThenHangs));

    assertThat(calls()).containsExactly("primary error 50", "retry timeout 300");
  }

  @Test
  void there_are_as_many_attempts_as_caps() throws Exception {
    StageDraft three = search().cap("1s").retry("10ms", "10ms", "100ms", "100ms", "100ms");

    Answer answer = trial.ask(searching(three, failing(99, 20, Kind.UNAVAILABLE)));

    assertThat(answer.noContext()).isTrue();
    assertThat(calls()).containsExactly("primary error 20", "retry error 20", "retry error 20");
    assertThat(answer.firstTokenNanos()).isEqualTo((20 + 10 + 20 + 10 + 20 + 100) * MS);
  }

  @Test
  void a_wait_that_the_backend_asks_for_counts_where_it_is_longer() throws Exception {
    BackendException busy = new BackendException(Kind.OVERLOADED, "busy", 400 * MS);

    Answer answer = trial.ask(searching(retried(), failing(1, 50, busy)));

    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 400 + 100 + 100) * MS);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void a_wait_that_the_backend_asks_for_and_that_does_not_fit_means_no_retry() throws Exception {
    BackendException busy = new BackendException(Kind.OVERLOADED, "busy", Long.MAX_VALUE);

    Answer answer = trial.ask(searching(retried(), failing(1, 50, busy)));

    assertThat(asked).hasValue(1);
    assertThat(answer.firstTokenNanos()).as("nobody waits for it").isEqualTo((50 + 100) * MS);
  }

  @Test
  void what_is_left_is_looked_at_after_every_attempt_and_not_only_before_the_first()
      throws Exception {
    // At the start both attempts and the wait would fit: 500 + 80 + 300 is less than 1 s. After
    // 650 ms they do not.
    StageDraft stage = search().cap("1s").retry("80ms", "80ms", "700ms", "300ms");

    trial.ask(searching(stage, failing(1, 650, Kind.UNAVAILABLE)));

    assertThat(asked).hasValue(1);
    asked.set(0);
    trial.ask(searching(stage, failing(1, 620, Kind.UNAVAILABLE)));
    assertThat(asked).as("620 + 80 + 300 is the whole second").hasValue(2);
  }

  @Test
  void a_retry_leaves_generate_its_floor() throws Exception {
    // 1500 − 50 − 1000 = 450 for the search: after 300 ms no whole attempt fits.
    Routes routes =
        Routes.of(
                BudgetDraft.of("1s500ms")
                    .stages(
                        search().cap("1s").retry("20ms", "20ms", "400ms", "200ms"),
                        generate().floor("1s")))
            .port("search", failing(1, 300, Kind.UNAVAILABLE))
            .port("generate", trial.writes(900, "Well."));

    Answer answer = trial.ask(routes);

    assertThat(asked).hasValue(1);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.firstTokenNanos()).isEqualTo(1200 * MS);
  }

  @Test
  void no_attempt_starts_after_the_deadline_whatever_is_declared() throws Exception {
    // Five attempts of a second each with waits would go on for minutes.
    StageDraft endless = search().cap("2s").retry("100ms", "100ms", "1s", "1s", "1s", "1s", "1s");

    Answer answer = trial.ask(searching(endless, failing(99, 450, Kind.BACKEND_TIMEOUT)));

    assertThat(asked).as("450 + 100 + 1000 fits 1950, 1000 + 100 + 1000 does not").hasValue(2);
    assertThat(answer.latencyNanos()).isEqualTo((450 + 100 + 450 + 100) * MS);
  }

  @Test
  void what_is_not_repeatable_has_one_attempt_with_the_first_cap() throws Exception {
    PassageSearch counted = failing(1, 50, Kind.UNAVAILABLE);
    PassageSearch changesSomething = Trial.notRepeatable(counted);

    trial.ask(searching(retried(), changesSomething));

    assertThat(calls()).containsExactly("primary error 50");
  }

  @Test
  void a_fallback_starts_at_its_own_time_whatever_the_attempts_are_doing() throws Exception {
    StageDraft stage = retried().degradeAfter("100ms").fallback("500ms", "300ms");
    Routes routes =
        searching(stage, failing(1, 50, Kind.UNAVAILABLE)).fallback("search", trial.finds(60, "b"));

    Answer answer = trial.ask(routes);

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(calls())
        .as("the retry started at 130 ms and lost at 160 ms")
        .containsExactly("primary error 50", "fallback success 60", "retry timeout 30");
  }

  @Test
  void a_wait_ends_when_the_fallback_has_won() throws Exception {
    StageDraft stage = retried().degradeAfter("100ms").fallback("500ms", "300ms");
    Routes routes =
        searching(stage, failing(1, 50, Kind.UNAVAILABLE)).fallback("search", trial.finds(20, "b"));

    Answer answer = trial.ask(routes);

    assertThat(asked).hasValue(1);
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 20 + 100) * MS);
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).isZero();
  }

  @Test
  void attempts_used_up_are_followed_by_the_fallback_at_once() throws Exception {
    StageDraft stage = retried().fallback("500ms", "300ms");
    Routes routes =
        searching(stage, failing(99, 50, Kind.UNAVAILABLE))
            .fallback("search", trial.finds(60, "b"));

    Answer answer = trial.ask(routes);

    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 80 + 50 + 60 + 100) * MS);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void cancel_primary_ends_a_wait_too() throws Exception {
    StageDraft stage = retried().degradeAfter("100ms").fallback("500ms", "300ms", 1, true);
    Routes routes =
        searching(stage, failing(1, 50, Kind.UNAVAILABLE))
            .fallback("search", trial.finds(300, "b"));

    Answer answer = trial.ask(routes);

    assertThat(asked).hasValue(1);
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
  }

  @Test
  void an_outage_is_met_with_a_bounded_share_of_further_attempts() throws Exception {
    Route route = searching(retried().retryShare(0.2), failing(1000, 1, Kind.UNAVAILABLE)).route();

    for (int i = 0; i < 100; i++) {
      trial.ask(route, null, false);
    }

    long retries =
        trial.told.callsOf("search").stream().filter(c -> c.role() == StageCall.Role.RETRY).count();
    // Ten from the full bucket, then one of five.
    assertThat(retries).isBetween(29L, 30L);
  }

  @Test
  void a_model_is_asked_again_before_its_first_content() throws Exception {
    Answer answer = trial.askStreaming(writing("2s", failingModel(" ", "The answer.")));

    assertThat(answer.content()).isEqualTo("The answer.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 20 + 100) * MS);
    assertThat(trial.told.callsOf("generate"))
        .extracting(c -> c.role().label())
        .containsExactly("primary", "retry");
  }

  @Test
  void a_model_is_not_asked_again_after_its_first_content() throws Exception {
    Routes routes = writing("2s", failingModel("The ", "The answer."));

    Answer toFirstToken = trial.askStreaming(routes);

    assertThat(asked).hasValue(1);
    assertThat(toFirstToken.truncated()).isTrue();
  }

  @Test
  void to_the_last_token_a_model_is_not_asked_again_after_its_first_content() throws Exception {
    Routes routes =
        Routes.of(
                BudgetDraft.of("3s")
                    .lastToken("200ms")
                    .stages(generate().floor("1s").retry("20ms", "20ms", "2s", "2s")))
            .port("generate", failingModel("The ", "The answer."));

    assertThat(trial.ask(routes).content()).isEqualTo(Routes.SORRY);
    assertThat(asked).hasValue(1);
    asked.set(0);
    assertThat(
            trial.askStreaming(routes.port("generate", failingModel("", "The answer."))).content())
        .isEqualTo("The answer.");
  }

  private Routes writing(String attemptCap, Generator model) {
    return Routes.of(
            BudgetDraft.of("3s")
                .stages(generate().floor("1s").retry("20ms", "20ms", attemptCap, attemptCap)))
        .port("generate", model);
  }

  /** Says one piece and breaks off after 50 ms; the next time it answers after 100 ms. */
  private Generator failingModel(String piece, String answer) {
    return (call, prompt, sink) -> {
      if (asked.incrementAndGet() == 1) {
        sink.accept(piece);
        return trial.fails(50, Kind.UNAVAILABLE);
      }
      trial.machinery.takes(100 * MS);
      sink.accept(answer);
      return new Completion("stop", null, null);
    };
  }
}
