package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random budgets, random backends, made time: what holds on every journey. */
@Timeout(600)
class JourneyPropertyTest {
  /** Each takes one to three journeys: 100,000 in all. */
  private static final int PLANS = 50_000;

  private static final int MOST_JOURNEYS = 3;
  private static final List<String> BACKENDS =
      List.of(
          "rewrite",
          "embed",
          "search",
          "search-fallback",
          "tickets",
          "weather",
          "rerank",
          "generate",
          "generate-fallback",
          "small");

  @Test
  void no_random_journey_breaks_the_rules() throws Exception {
    Set<Answer.Outcome> outcomes = EnumSet.noneOf(Answer.Outcome.class);
    Set<String> seen = new TreeSet<>();
    for (int seed = 0; seed < PLANS; seed++) {
      RandomJourneys journeys = new RandomJourneys(seed);
      outcomes.addAll(journeys.check());
      seen.addAll(journeys.seen);
    }
    assertThat(outcomes)
        .as("the journeys are of every kind")
        .containsExactlyInAnyOrder(
            Answer.Outcome.FULL,
            Answer.Outcome.DEGRADED,
            Answer.Outcome.STATIC,
            Answer.Outcome.ERROR);
    assertThat(seen)
        .as("everything happened")
        .contains(
            "retry success",
            "hedge success",
            "fallback success",
            "skipped breaker",
            "skipped overload",
            "hedge limited",
            "probed",
            "late success",
            "late timeout");
  }

  /** A few journeys, one after the other, on one plan. */
  private static final class RandomJourneys {
    private final int seed;
    private final Random random;
    private final Trial trial = new Trial();
    private final long total;
    private final boolean lastToken;
    private long arrival;
    private long latestStart;
    private final AtomicInteger speculated = new AtomicInteger();
    private long toldEarly;
    private boolean refusing;
    private final Visits visits = new Visits();
    private final Set<String> seen = new TreeSet<>();

    RandomJourneys(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.total = 500 + random.nextInt(4000);
      this.lastToken = random.nextInt(3) == 0;
    }

    Set<Answer.Outcome> check() throws Exception {
      trial.machinery.chance(() -> random(1000) / 1000.0);
      Route route = routes().route();
      Set<Answer.Outcome> outcomes = EnumSet.noneOf(Answer.Outcome.class);
      for (int i = 0; i <= random(MOST_JOURNEYS); i++) {
        outcomes.add(checkOne(route));
      }
      trial.machinery.awaitEnded();
      visits.assertAllOver(seed);
      assertThat(toldEarly)
          .as("seed %d: what began early is told", seed)
          .isGreaterThanOrEqualTo(speculated.get());
      assertThat(trial.runner().load().inFlight().values())
          .as("seed %d: every place at a backend is given back", seed)
          .allMatch(calls -> calls == 0);
      assertThat(trial.machinery.pending()).as("seed %d: deadlines left armed", seed).isZero();
      return outcomes;
    }

    private Answer.Outcome checkOne(Route route) throws Exception {
      trial.told.forget();
      trial.heard.clear();
      Long callers = random.nextInt(4) == 0 ? random.nextLong(total * MS * 2) : null;
      long budget = callers == null ? total * MS : Math.min(total * MS, callers);
      boolean streaming = random.nextBoolean();

      // Read within the journey: before, what an earlier one left behind still moves the time.
      Answer answer =
          trial.ask(
              route,
              now -> {
                arrival = now;
                return Questions.asked(now, callers, streaming);
              });

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
      long early = told.calls.stream().filter(c -> c.role() == StageCall.Role.SPECULATIVE).count();
      assertThat(early).as("seed %d: one search begins early", seed).isLessThanOrEqualTo(1);
      toldEarly += early;
      told.calls.forEach(c -> seen.add(c.role().label() + " " + c.outcome().label()));
      told.skips.forEach(skip -> seen.add("skipped " + skip.reason()));
      told.probes.forEach(stage -> seen.add("probed"));
      told.late.forEach(late -> seen.add("late " + late.outcome().label()));
      assertThat(told.probes.isEmpty() || answer.outcome() != Answer.Outcome.ERROR || refusing)
          .as("seed %d: a journey on trial answers", seed)
          .isTrue();
      told.hedges.forEach(hedge -> seen.add("hedge " + hedge.split(" ")[1]));
      return answer.outcome();
    }

    private Routes routes() {
      StageDraft weather =
          stage("weather", StageType.TOOL).cap(ms(800)).degradeAfter(ms(400)).group("look-up");
      List<StageDraft> stages =
          new ArrayList<>(
              List.of(
                  helped(rewrite().cap(ms(600)).group(random.nextBoolean() ? "ready" : "alone")),
                  hedged(helped(stage("embed", StageType.EMBED).cap(ms(200)).group("ready"))),
                  hedged(
                      helped(
                          search()
                              .cap(ms(1000))
                              .degradeAfter(ms(800))
                              .fallback(ms(500), ms(600), 1, random.nextBoolean())
                              .group("look-up"))),
                  hedged(helped(stage("tickets", StageType.SEARCH).cap(ms(700)).group("look-up"))),
                  helped(random.nextInt(4) > 0 ? weather.optional() : weather),
                  hedged(helped(rerank().cap(ms(500)))),
                  helped(
                      generate()
                          .floor(ms(1000))
                          .degradeAfter(ms(2000))
                          .fallback(ms(500), ms(300)))));
      if (lastToken && random.nextBoolean()) {
        stages.add(helped(stage("format", StageType.TOOL).cap(ms(300)).floor(ms(100))));
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
              .port("rewrite", (Rewriter) (call, q, e, i) -> call("rewrite", "rewritten"))
              .port("embed", (Embedder) (call, text) -> call("embed", new float[] {1}))
              .port("search", finds("search", 0))
              .port("tickets", finds("tickets", 0))
              .speculative("search", speculates())
              .port("weather", (Tool) (call, input) -> call("weather", "rain"))
              .port("format", (Tool) (call, input) -> call("format", "*" + input.answer() + "*"))
              .fallback("search", finds("search-fallback", 1))
              .port(
                  "rerank",
                  (Reranker)
                      (call, q, passages) ->
                          PassagesFound.whole(call("rerank", passages.reversed())))
              .port("generate", writer("generate"))
              .fallback("generate", writer("generate-fallback"))
              .from("minimal", "generate", Routes.form("small", writer("small")));
      for (String backend : BACKENDS) {
        if (random.nextInt(3) == 0) {
          int limit = 1 + random.nextInt(2);
          routes.limit(backend, limit);
          visits.limit(backend, limit);
        }
      }
      routes.policy(
          new JourneyPolicy(
              Enforcement.ENFORCE, true, 0, null, new LearningPolicy(share(), share())));
      refusing = random.nextInt(8) == 0;
      return refusing ? routes.refuseWithoutContext() : routes;
    }

    private PassageSearch speculates() {
      PassageSearch words = finds("speculation", 0);
      return (call, query) -> {
        speculated.incrementAndGet();
        return words.search(call, query);
      };
    }

    private StageDraft helped(StageDraft stage) {
      if (random.nextInt(3) == 0) {
        String[] caps = new String[1 + random.nextInt(3)];
        Arrays.setAll(caps, n -> ms(600));
        int backoff = random.nextInt(200);
        stage.retry(backoff + "ms", backoff + random.nextInt(200) + "ms", caps);
      }
      if (random.nextInt(3) == 0) {
        stage.breaker(share(), share(), 1 + random.nextInt(3), ms(3000));
      }
      return stage;
    }

    private StageDraft hedged(StageDraft stage) {
      return random.nextInt(3) == 0
          ? stage.hedge(ms(300), 1 + random.nextInt(2), random.nextInt(2))
          : stage;
    }

    private double share() {
      return (1 + random.nextInt(10)) / 10.0;
    }

    private PassageSearch finds(String backend, int least) {
      return (call, query) -> {
        int found = least + random(5);
        return PassagesFound.whole(
            call(
                backend,
                Trial.passages(
                    List.of("a", "b", "c", "d", "e").subList(0, found).toArray(String[]::new))));
      };
    }

    private Generator writer(String backend) {
      return (call, prompt, sink) -> {
        starts(backend);
        try {
          int pieces = 1 + random(4);
          for (int i = 0; i < pieces; i++) {
            sink.accept(wild("A sentence of an answer that goes on for a while, until it ends. "));
          }
          return new Completion("stop", null, null);
        } finally {
          visits.left(backend);
        }
      };
    }

    private synchronized void starts(String backend) {
      visits.entered(backend);
      latestStart = Math.max(latestStart, trial.machinery.time().nanos());
    }

    private <T> T call(String backend, T right) throws Exception {
      starts(backend);
      try {
        return wild(right);
      } finally {
        visits.left(backend);
      }
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

  /** Who is with which backend. */
  private static final class Visits {
    private final Map<String, Integer> limits = new HashMap<>();
    private final Map<String, Integer> inside = new HashMap<>();
    private final Map<String, Integer> most = new HashMap<>();

    void limit(String backend, int calls) {
      limits.put(backend, calls);
    }

    synchronized void entered(String backend) {
      most.merge(backend, inside.merge(backend, 1, Integer::sum), Math::max);
    }

    synchronized void left(String backend) {
      inside.merge(backend, -1, Integer::sum);
    }

    synchronized void assertAllOver(int seed) {
      assertThat(inside.values())
          .as("seed %d: every call that began has ended", seed)
          .allMatch(calls -> calls == 0);
      most.forEach(
          (backend, calls) ->
              assertThat(calls)
                  .as("seed %d: no more calls of %s at once than it may have", seed, backend)
                  .isLessThanOrEqualTo(limits.getOrDefault(backend, Integer.MAX_VALUE)));
    }
  }
}
