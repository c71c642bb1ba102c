package dev.ragjourney.e2e;

import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.support.prometheus.RealPrometheus;
import dev.ragjourney.support.prometheus.ScrapedPod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The metrics of a journey whose stages take their times by the same laws all the time. */
final class SteadyTraffic implements AutoCloseable {
  private static final int QUESTIONS_A_TICK = 5;
  private static final int TICK_MILLIS = 50;

  /** Median seconds of each stage of the smallest journey, to which its declared caps fit. */
  private static final Map<String, Double> MEDIANS =
      Map.of("embed", 0.083, "search", 0.331, "rerank", 0.166, "generate", 0.6);

  private static final double SPREAD = 0.25;

  private final Journey journey;
  private final double budget;
  private final Map<String, ScrapedPod> stages = new LinkedHashMap<>();
  private final Random random;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  SteadyTraffic(RealPrometheus prometheus, Journey journey, Duration total, long seed) {
    this.journey = journey;
    random = new Random(seed);
    budget = total.toMillis() / 1e3;
    for (String stage : MEDIANS.keySet()) {
      ScrapedPod pod =
          new ScrapedPod(
              journey.namespace(), journey.name(), stage, LatencyBoundaries.of(total), budget);
      stages.put(stage, pod);
      prometheus.scrape(
          RealPrometheus.Job.HONORING,
          journey.name() + "-" + stage,
          pod.port(),
          Map.of("pod", journey.name() + "-0"));
    }
    var _ = thread.scheduleAtFixedRate(this::caps, 0, 1, TimeUnit.SECONDS);
    var _ = thread.scheduleAtFixedRate(this::ask, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** As pods do it that run the plan. */
  private void caps() {
    try {
      stages.forEach((stage, pod) -> pod.cap(journey.cap(stage).toMillis() / 1e3));
    } catch (RuntimeException | AssertionError notYet) {
      // Next time.
    }
  }

  private void ask() {
    for (int question = 0; question < QUESTIONS_A_TICK; question++) {
      double all = 0;
      double beforeGenerate = 0;
      for (Map.Entry<String, ScrapedPod> stage : stages.entrySet()) {
        double took = MEDIANS.get(stage.getKey()) * Math.exp(SPREAD * random.nextGaussian());
        stage.getValue().call("success", "", took);
        all += took;
        beforeGenerate += stage.getKey().equals("generate") ? 0 : took;
      }
      ScrapedPod last = stages.get("generate");
      last.answer("full", "full", "own", all);
      last.remainingAtGenerate(budget - beforeGenerate);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    stages.values().forEach(ScrapedPod::close);
  }
}
