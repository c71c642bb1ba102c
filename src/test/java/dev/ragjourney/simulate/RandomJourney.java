package dev.ragjourney.simulate;

import static dev.ragjourney.budget.StageDraft.embed;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.simulate.SimulatedJourney.Form;
import dev.ragjourney.simulate.SimulatedJourney.StageForms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Everything that a plan can say about time, at random. */
final class RandomJourney {
  private final Random random;
  private final Random leaving;
  private final int total;

  RandomJourney(long seed) {
    random = new Random(seed);
    leaving = new Random(~seed);
    total = 500 + random.nextInt(4_000);
  }

  SimulatedJourney journey() {
    boolean lastToken = random.nextInt(4) == 0;
    List<StageDraft> stages = new ArrayList<>();
    String ready = random.nextBoolean() ? "ready" : "alone";
    stages.add(helped(rewrite().cap(ms(600)).group(ready)));
    stages.add(helped(fallingBack(embed().cap(ms(300)).group("ready"))));
    stages.add(helped(fallingBack(search().cap(ms(1_000)).group("look-up"))));
    StageDraft weather =
        stage("weather", StageType.TOOL).cap(ms(800)).degradeAfter(ms(400)).group("look-up");
    if (random.nextInt(3) == 0) {
      stages.add(helped(random.nextInt(4) > 0 ? weather.optional() : fallingBack(weather)));
    }
    stages.add(helped(rerank().cap(ms(500))));
    stages.add(
        helped(fallingBack(random.nextBoolean() ? generate() : generate().cap(ms(2_000))))
            .floor(ms(1_000)));
    if (lastToken && random.nextBoolean()) {
      stages.add(helped(stage("format", StageType.TOOL).cap(ms(300)).floor(ms(100))));
    }
    BudgetDraft draft =
        BudgetDraft.of(total + "ms")
            .reserve(random.nextInt(60) + "ms")
            .stages(stages.toArray(StageDraft[]::new))
            .level("full", ms(total), List.of())
            .level("fast", ms(total / 2), List.of("rerank"))
            .level(
                "minimal",
                ms(total / 4),
                List.of("rewrite", "rerank"),
                BudgetDraft.at("generate", null, ms(300)));
    JourneyBudget whole = (lastToken ? draft.lastToken("100ms") : draft.firstToken()).budget();
    JourneyBudget budget = whole.leaving(leftOut(whole));
    return new SimulatedJourney(
        budget,
        policy(),
        random.nextInt(6) == 0,
        budget.stages().stream().map(this::forms).toList());
  }

  private LeftOut leftOut(JourneyBudget budget) {
    LeftOut left = LeftOut.NOTHING;
    for (StageBudget stage : budget.stages()) {
      left = stage.optional() && leaving.nextInt(4) == 0 ? left.with(stage.name()) : left;
    }
    return leaving.nextInt(4) == 0 ? left.from(leaving.nextBoolean() ? "fast" : "minimal") : left;
  }

  /** Sometimes the smaller model of the lowest level is the fallback's too. */
  private StageForms forms(StageBudget stage) {
    Form full = new Form(stage.name(), false, true);
    Form fallback =
        stage.fallback() == null ? null : new Form(stage.name() + "-fallback", false, false);
    boolean smaller = fallback != null && stage.type() == StageType.GENERATE;
    Form minimal = smaller && random.nextBoolean() ? fallback : full;
    return new StageForms(List.of(full, full, minimal, full), fallback);
  }

  private StageDraft helped(StageDraft stage) {
    if (random.nextInt(3) == 0) {
      String[] caps = new String[1 + random.nextInt(3)];
      Arrays.setAll(caps, n -> ms(600));
      String backoff = random.nextInt(200) + "ms";
      stage.retry(backoff, backoff, caps).retryShare(random.nextInt(5) / 4.0);
    }
    if (random.nextInt(3) == 0) {
      stage.hedge(ms(300), 1 + random.nextInt(2), random.nextInt(5) / 4.0);
    }
    if (random.nextInt(4) == 0) {
      stage.degradeAfter(ms(400));
    }
    return random.nextInt(4) == 0 ? stage.holdBack(ms(700)) : stage;
  }

  private StageDraft fallingBack(StageDraft stage) {
    return random.nextInt(3) == 0
        ? stage
        : stage.fallback(ms(500), ms(600), random.nextInt(5) / 4.0, random.nextInt(3) == 0);
  }

  private String ms(int most) {
    return 1 + random.nextInt(most) + "ms";
  }

  private static RebalancePolicy policy() {
    return new RebalancePolicy(
        RebalancePolicy.Mode.AUTO,
        RebalancePolicy.Rule.MAX_QUALITY,
        Duration.ofMinutes(5),
        Duration.ofMinutes(30),
        0.2,
        100,
        0.5,
        0.2,
        0.05,
        Duration.ofMinutes(5),
        0.01,
        Map.of());
  }

  /** A call's time: most are short, some fail, some never end. No two end at the same moment. */
  static long nanos(long seed, int journey, String call, int ordinal) {
    Random random =
        new Random(((seed * 31 + journey) * 31 + call.hashCode()) * 31 + ordinal * 7_919L);
    random.nextInt();
    long most =
        switch (random.nextInt(10)) {
          case 0 -> 3_600_000;
          case 1, 2 -> 2_000;
          default -> 250;
        };
    long nanos = 1 + random.nextLong(most * 1_000_000L);
    return random.nextInt(8) == 0 ? ~nanos : nanos;
  }
}
