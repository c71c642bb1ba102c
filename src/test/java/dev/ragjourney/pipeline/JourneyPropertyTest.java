package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random budgets, random backends, made time: what holds on every journey. */
@Timeout(120)
class JourneyPropertyTest {
  private static final int JOURNEYS = 20_000;

  @Test
  void no_random_journey_breaks_the_rules() throws Exception {
    Set<Answer.Outcome> outcomes = EnumSet.noneOf(Answer.Outcome.class);
    for (int seed = 0; seed < JOURNEYS; seed++) {
      outcomes.add(new RandomJourney(seed).check());
    }
    assertThat(outcomes)
        .as("the journeys are of every kind")
        .containsExactlyInAnyOrder(
            Answer.Outcome.FULL,
            Answer.Outcome.DEGRADED,
            Answer.Outcome.STATIC,
            Answer.Outcome.ERROR);
  }

  private static final class RandomJourney {
    private final int seed;
    private final Random random;
    private final Trial trial = new Trial();
    private final long total;
    private final boolean lastToken;
    private long arrival;
    private long latestStart;
    private final AtomicInteger speculated = new AtomicInteger();

    RandomJourney(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.total = 500 + random.nextInt(4000);
      this.lastToken = random.nextInt(3) == 0;
    }

    Answer.Outcome check() throws Exception {
      arrival = trial.machinery.time().nanos();
      Long callers = random.nextInt(4) == 0 ? random.nextLong(total * MS * 2) : null;
      long budget = callers == null ? total * MS : Math.min(total * MS, callers);
      boolean streaming = random.nextBoolean();

      Answer answer = trial.ask(routes().route(), callers, streaming);

      Recording told = trial.told;
      boolean toTheEnd = lastToken || (callers != null && callers < total * MS && !streaming);
      Long firstToken = answer.firstTokenNanos();
      long counted = toTheEnd || firstToken == null ? answer.latencyNanos() : firstToken;
      assertThat(counted)
          .as("seed %d: never later than the deadline", seed)
          .isLessThanOrEqualTo(budget);
      assertThat(latestStart)
          .as("seed %d: no call starts late", seed)
          .isLessThanOrEqualTo(arrival + budget);
      assertThat(told.ends).as("seed %d: one end for each start", seed).hasSameSizeAs(told.starts);
      Set<String> stages = new HashSet<>();
      int level = 0;
      for (JourneyListener.StageStart start : told.starts) {
        assertThat(stages.add(start.stage())).as("seed %d: one start a stage", seed).isTrue();
        assertThat(start.level())
            .as("seed %d: no climbing back", seed)
            .isGreaterThanOrEqualTo(level);
        assertThat(start.allowanceNanos()).isPositive().isLessThan(start.remainingNanos());
        level = start.level();
      }
      assertThat(answer.level()).isGreaterThanOrEqualTo(level);
      assertThat(told.answers).as("seed %d: one answer", seed).containsExactly(answer);
      assertThat(String.join("", trial.heard))
          .as("seed %d: what was heard is what was answered", seed)
          .isEqualTo(streaming && firstToken != null ? answer.content() : "");
      assertThat(answer.outcome() == Answer.Outcome.FULL && !answer.skipped().isEmpty())
          .as("seed %d: full is full", seed)
          .isFalse();
      trial.machinery.awaitEnded();
      assertThat(told.calls.stream().filter(c -> c.role() == StageCall.Role.SPECULATIVE).count())
          .as("seed %d: what began early is told", seed)
          .isBetween((long) speculated.get(), 1L);
      assertThat(trial.machinery.pending()).as("seed %d: deadlines left armed", seed).isZero();
      return answer.outcome();
    }

    private Routes routes() {
      StageDraft weather =
          stage("weather", StageType.TOOL).cap(ms(800)).degradeAfter(ms(400)).group("look-up");
      List<StageDraft> stages =
          new ArrayList<>(
              List.of(
                  rewrite().cap(ms(600)).group(random.nextBoolean() ? "ready" : "alone"),
                  stage("embed", StageType.EMBED).cap(ms(200)).group("ready"),
                  search()
                      .cap(ms(1000))
                      .degradeAfter(ms(800))
                      .fallback(ms(500), ms(600), 1, random.nextBoolean())
                      .group("look-up"),
                  stage("tickets", StageType.SEARCH).cap(ms(700)).group("look-up"),
                  random.nextInt(4) > 0 ? weather.optional() : weather,
                  rerank().cap(ms(500)),
                  generate().floor(ms(1000)).degradeAfter(ms(2000)).fallback(ms(500), ms(300))));
      if (lastToken && random.nextBoolean()) {
        stages.add(stage("format", StageType.TOOL).cap(ms(300)).floor(ms(100)));
      }
      BudgetDraft draft =
          BudgetDraft.of(total + "ms")
              .stages(stages.toArray(StageDraft[]::new))
              .level("full", ms((int) total), List.of())
              .level("fast", ms((int) total / 2), List.of("rerank"))
              .level("minimal", ms((int) total / 4), List.of("rewrite", "rerank", "tickets"));
      if (lastToken) {
        draft.lastToken("100ms");
      }
      Routes routes =
          Routes.of(draft)
              .port("rewrite", (Rewriter) (call, q, e, i) -> call("rewritten"))
              .port("embed", (Embedder) (call, text) -> call(new float[] {1}))
              .port("search", finds(0))
              .port("tickets", finds(0))
              .speculative("search", speculates())
              .port("weather", (Tool) (call, input) -> call("rain"))
              .port("format", (Tool) (call, input) -> call("*" + input.answer() + "*"))
              .fallback("search", finds(1))
              .port(
                  "rerank",
                  (Reranker) (call, q, passages) -> PassagesFound.whole(call(passages.reversed())))
              .port("generate", writer())
              .fallback("generate", writer())
              .from("minimal", "generate", Routes.form("small", writer()));
      return random.nextInt(8) == 0 ? routes.refuseWithoutContext() : routes;
    }

    private PassageSearch speculates() {
      PassageSearch words = finds(0);
      return (call, query) -> {
        speculated.incrementAndGet();
        return words.search(call, query);
      };
    }

    private PassageSearch finds(int least) {
      return (call, query) -> {
        int found = least + random(5);
        return PassagesFound.whole(
            call(
                Trial.passages(
                    List.of("a", "b", "c", "d", "e").subList(0, found).toArray(String[]::new))));
      };
    }

    private Generator writer() {
      return (call, prompt, sink) -> {
        starts();
        int pieces = 1 + random(4);
        for (int i = 0; i < pieces; i++) {
          sink.accept(wild("A sentence of an answer that goes on for a while, until it ends. "));
        }
        return new Completion("stop", null, null);
      };
    }

    private synchronized void starts() {
      latestStart = Math.max(latestStart, trial.machinery.time().nanos());
    }

    private <T> T call(T right) throws Exception {
      starts();
      return wild(right);
    }

    private <T> T wild(T right) throws Exception {
      switch (random(12)) {
        case 0 -> trial.machinery.takes(3_600_000 * MS);
        case 1 -> trial.machinery.takesStubbornly(random(3000) * MS);
        case 2 -> throw new BackendException(BackendException.Kind.UNAVAILABLE, "reset");
        case 3 -> trial.machinery.takes(random(1500) * MS);
        default -> trial.machinery.takes(random(200) * MS);
      }
      return right;
    }

    private synchronized int random(int bound) {
      return random.nextInt(bound);
    }

    private String ms(int most) {
      return 1 + random.nextInt(most) + "ms";
    }
  }
}
