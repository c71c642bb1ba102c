package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.server.AdmissionDecision.Admit;
import dev.ragjourney.server.AdmissionDecision.Queue;
import dev.ragjourney.server.AdmissionDecision.Refuse;
import dev.ragjourney.server.LimitRule.Window;
import dev.ragjourney.support.SamplePlans;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is let in, and how many: pure decisions. */
class AdmissionTest {
  private static final long MS = 1_000_000;

  /** Three seconds; the cheapest level that runs stages needs 700 ms. */
  private static final Ladder CACHED =
      ladder(
          rung(AnswerSource.STAGES, 1500),
          rung(AnswerSource.STAGES, 700),
          rung(AnswerSource.SEMANTIC_CACHE, 0),
          rung(AnswerSource.STATIC, 0));

  private static final Ladder PLAIN =
      ladder(
          rung(AnswerSource.STAGES, 1500),
          rung(AnswerSource.STAGES, 700),
          rung(AnswerSource.STATIC, 0));

  private static final Ladder LONG =
      ladder(
          rung(AnswerSource.STAGES, 2000),
          rung(AnswerSource.STAGES, 1500),
          rung(AnswerSource.STAGES, 1000),
          rung(AnswerSource.STAGES, 700),
          rung(AnswerSource.STATIC, 0));

  @ParameterizedTest(name = "{0} on their way and {1} waiting of 8")
  @CsvSource({"0,0,true", "6,0,true", "7,0,false", "8,0,false", "6,1,false"})
  void up_to_three_quarters_a_pod_has_time_for_more_than_its_journeys(
      int inFlight, int queued, boolean relaxed) {
    assertThat(AdmissionRule.relaxed(load(inFlight, 8, queued))).isEqualTo(relaxed);
  }

  static Stream<Arguments> decisions() {
    return Stream.of(
        arguments("an idle pod starts at the best level", load(0, 10, 0), PLAIN, 3000, start(0)),
        arguments("so does one at three quarters", load(7, 10, 0), PLAIN, 3000, start(0)),
        arguments("nearly full, the level falls", load(9, 10, 0), PLAIN, 3000, start(1)),
        arguments("a long ladder falls by steps", load(85, 100, 0), LONG, 3000, start(1)),
        arguments("and on to the cheapest level", load(99, 100, 0), LONG, 3000, start(3)),
        arguments("a pod for one journey takes it whole", load(0, 1, 0), PLAIN, 3000, start(0)),
        arguments(
            "without a place a question waits for half of its slack",
            load(10, 10, 0),
            PLAIN,
            3000,
            new Queue(1150 * MS)),
        arguments("nobody overtakes the queue", load(9, 10, 1), PLAIN, 3000, new Queue(1150 * MS)),
        arguments(
            "the last that is likely to be in time waits too",
            load(10, 10, 22),
            PLAIN,
            3000,
            new Queue(1150 * MS)),
        arguments(
            "the next is told when to come back", load(10, 10, 23), PLAIN, 3000, new Refuse(2)),
        arguments("a hurried caller waits less", load(10, 10, 0), PLAIN, 1000, new Queue(150 * MS)),
        arguments("or not at all", load(10, 10, 3), PLAIN, 1000, new Refuse(1)),
        arguments(
            "with less than the cheapest level needs nobody waits",
            load(10, 10, 0),
            PLAIN,
            600,
            new Refuse(1)),
        arguments(
            "where answers are cached the cache is asked before anybody is refused",
            load(10, 10, 23),
            CACHED,
            3000,
            new Admit(2, true)),
        arguments(
            "but not by more than there are places",
            new Load(10, 10, 23, 10, 500 * MS),
            CACHED,
            3000,
            new Refuse(2)),
        arguments(
            "while no journey has ended, one is taken to last the whole budget",
            new Load(2, 2, 0, 0, 0),
            PLAIN,
            3000,
            new Refuse(2)),
        arguments(
            "a far away place is not promised for later than a minute",
            new Load(1, 1, 0, 0, 1_000_000 * MS),
            PLAIN,
            3000,
            new Refuse(60)),
        arguments(
            "the queue has an end", new Load(1000, 1000, 256, 0, MS), PLAIN, 3000, new Refuse(1)),
        arguments(
            "a journey whose every level is static starts there",
            load(0, 10, 0),
            ladder(rung(AnswerSource.STATIC, 0)),
            3000,
            start(0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void admission(String name, Load load, Ladder ladder, long remainingMs, AdmissionDecision right) {
    assertThat(AdmissionRule.decide(load, ladder, remainingMs * MS)).isEqualTo(right);
  }

  @Test
  void a_question_that_waited_starts_at_the_cheapest_level() {
    assertThat(AdmissionRule.startLevel(load(9, 10, 5), LONG)).isEqualTo(3);
  }

  @Test
  void the_ladder_of_a_plan_needs_what_its_levels_need_at_the_first_stage() {
    Ladder ladder = Ladder.of(SamplePlans.large().budget());

    assertThat(ladder.staged()).isEqualTo(3);
    assertThat(ladder.cached()).isEqualTo(3);
    assertThat(ladder.totalNanos()).isEqualTo(8000 * MS);
    assertThat(ladder.rungs().get(0).needNanos()).isGreaterThanOrEqualTo(5000 * MS);
    assertThat(ladder.rungs().get(2).needNanos()).isGreaterThanOrEqualTo(1500 * MS);
    assertThat(Ladder.of(SamplePlans.smallest().budget()).cached()).isEqualTo(-1);
  }

  @ParameterizedTest(name = "{0}: {1} becomes {6}")
  @CsvSource({
    "a quiet pod keeps its limit, 100, 50, 1.0, 1.0, 20, 100",
    "a used one gets a twentieth more, 100, 50, 1.5, 1.0, 80, 105",
    "but no more than declared, 255, 50, 1.5, 1.0, 250, 256",
    "a small one gets one more, 4, 50, 1.5, 1.0, 4, 5",
    "calls at twice their time are not yet too many, 100, 50, 10.0, 5.0, 80, 105",
    "busy processors take back what was really used, 256, 50, 15.0, 5.0, 30, 20",
    "at most half of it, 256, 50, 500.0, 5.0, 60, 30",
    "and never go below the processors, 3, 50, 500.0, 5.0, 3, 2",
    "the cost of starting threads is no stretch, 100, 50, 0.9, 0.1, 80, 105",
    "without calls that compute there is nothing to learn, 100, 0, 0, 0, 20, 100"
  })
  void the_limit(
      String name, int limit, int calls, double wallMs, double cpuMs, int peak, int right) {
    Window window = new Window(calls, nanos(calls * wallMs), nanos(calls * cpuMs), peak);

    assertThat(LimitRule.next(limit, window, 2, 256)).isEqualTo(right);
  }

  private static long nanos(double ms) {
    return Math.round(ms * MS);
  }

  /** Journeys that lately took half a second. */
  private static Load load(int inFlight, int limit, int queued) {
    return new Load(inFlight, limit, queued, 0, 500 * MS);
  }

  private static Admit start(int level) {
    return new Admit(level, false);
  }

  private static Ladder ladder(Ladder.Rung... rungs) {
    return new Ladder(List.of(rungs), 3000 * MS);
  }

  private static Ladder.Rung rung(AnswerSource answer, long needMs) {
    return new Ladder.Rung(answer, needMs * MS);
  }
}
