package dev.ragjourney.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.pipeline.RecordedJourneys;
import dev.ragjourney.pipeline.RecordedJourneys.Ended;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random journeys of recorded latencies, through the pod's own pipeline and the simulated pod. */
class SameAsThePodTest {
  private static final int PLANS = 1_500;
  private static final int JOURNEYS = 8;

  /** Ten fallbacks may be saved up: a share is used up by more journeys than that. */
  private static final int LONG_PLANS = 30;

  private static final int MANY = 200;

  @Test
  void a_journey_ends_alike_at_the_same_nanosecond_and_is_counted_alike() throws Exception {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    Set<LeftOut> left = new HashSet<>();
    for (int seed = 0; seed < PLANS; seed++) {
      left.add(new RandomJourney(seed).journey().budget().leaves());
      outcomes.addAll(compare(seed, JOURNEYS).outcomes());
    }
    assertThat(left)
        .as("with a stage left out, a lower level to begin at, both and neither")
        .hasSizeGreaterThan(8)
        .contains(LeftOut.NOTHING)
        .anyMatch(of -> !of.stages().isEmpty() && of.startLevel() != null);
    assertThat(outcomes)
        .as("journeys of every kind were compared")
        .contains(Outcome.FULL, Outcome.DEGRADED, Outcome.STATIC, Outcome.ERROR);
  }

  @Test
  void a_pod_whose_shares_of_helped_calls_are_used_up_goes_on_alike() throws Exception {
    int fallbacks = 0;
    int retries = 0;
    int hedges = 0;
    for (int seed = PLANS; seed < PLANS + LONG_PLANS; seed++) {
      UsedUp usedUp = compare(seed, MANY).usedUp();
      fallbacks += usedUp.fallbacks() ? 1 : 0;
      retries += usedUp.retries() ? 1 : 0;
      hedges += usedUp.hedges() ? 1 : 0;
    }
    assertThat(fallbacks).as("plans whose share of fallbacks was used up").isPositive();
    assertThat(retries).as("of retries").isPositive();
    assertThat(hedges).as("of hedges").isPositive();
  }

  private record UsedUp(boolean fallbacks, boolean retries, boolean hedges) {
    static UsedUp of(JourneyBudget budget, Helps helps) {
      boolean fallbacks = false;
      boolean retries = false;
      boolean hedges = false;
      for (int s = 0; s < budget.stages().size(); s++) {
        StageBudget stage = budget.stages().get(s);
        fallbacks |= stage.fallback() != null && !helps.fallbacks(s).take();
        retries |= stage.retry() != null && !helps.retries(s).take();
        hedges |= stage.hedge() != null && !helps.hedges(s).take();
      }
      return new UsedUp(fallbacks, retries, hedges);
    }
  }

  private record Compared(Set<Outcome> outcomes, UsedUp usedUp) {}

  private static Compared compare(int seed, int journeys) throws Exception {
    SimulatedJourney journey = new RandomJourney(seed).journey();
    LawKeys keys = LawKeys.of(journey, Set.of());
    Counts counts = new Counts(journey.budget());
    World world = World.of(journey, keys);
    Helps helps = new Helps(journey.budget(), 1);
    JourneyRun simulated = new JourneyRun(world, helps, Servers.ENOUGH, counts);
    RecordedJourneys pod = new RecordedJourneys(journey);
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    for (int i = 0; i < journeys; i++) {
      int index = i;
      boolean tries = i % 3 == 2;
      long of = seed;
      simulated.run(
          (law, ordinal) -> RandomJourney.nanos(of, index, keys.names().get(law), ordinal), tries);
      Ended real = pod.run((call, ordinal) -> RandomJourney.nanos(of, index, call, ordinal), tries);
      Outcome outcome = simulated.outcome();
      assertThat(new Ended(outcome.label(), simulated.reportedLevel(), simulated.endNanos()))
          .as("seed %d, journey %d", seed, i)
          .isEqualTo(real);
      outcomes.add(outcome);
    }
    assertThat(windows(counts)).as("seed %d: what is counted", seed).isEqualTo(pod.read());
    return new Compared(outcomes, UsedUp.of(journey.budget(), helps));
  }

  private static Map<String, StageWindow> windows(Counts counts) {
    WindowSlice slice =
        counts.slice(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofMinutes(5), null, List.of());
    Map<String, StageWindow> windows = new java.util.HashMap<>();
    slice.stages().forEach((name, of) -> windows.put(name, withoutCaps(of)));
    return windows;
  }

  private static StageWindow withoutCaps(StageWindow of) {
    return new StageWindow(
        of.started(),
        of.completed(),
        of.capCut(),
        of.deadlineCut(),
        of.lost(),
        of.errors(),
        of.skipped(),
        of.fallbackCompleted(),
        of.fallbackCut(),
        null);
  }
}
