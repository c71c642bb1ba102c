package dev.ragjourney.cli;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.support.prometheus.LocalPrometheus.Recorder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A pod's metrics of some past time: questions at a steady pace, each stage as slow as a seeded
 * draw from its law says, cut at its cap; whatever is cut is skipped.
 */
final class RecordedJourney {
  private static final Duration SCRAPES = Duration.ofSeconds(30);
  private static final int QUESTIONS_A_SCRAPE = 20;

  /** A stage's latency: half of the calls are faster than the median. */
  record Law(double median, double sigma) {
    double draw(Random random) {
      return median * Math.exp(sigma * random.nextGaussian());
    }
  }

  private record Series(String metric, Map<String, String> labels) {}

  private final Recorder recorder;
  private final JourneyBudget budget;
  private final Map<String, String> journey;
  private final List<Double> boundaries;
  private final Map<Series, Double> counters = new LinkedHashMap<>();
  private final Map<String, Duration> caps = new HashMap<>();
  private final Random random = new Random(7);

  RecordedJourney(Recorder recorder, String namespace, String name, JourneyBudget budget) {
    this.recorder = recorder;
    this.budget = budget;
    journey = Map.of("namespace", namespace, "journey", name, "pod", name + "-0");
    boundaries = LatencyBoundaries.of(budget.total());
    for (StageBudget stage : budget.stages()) {
      count(MetricNames.STAGE_STARTED, 0, "stage", stage.name());
      for (String[] ended : new String[][] {{"success", ""}, {"timeout", "cap"}}) {
        observe(MetricNames.STAGE_DURATION, -1, ended(stage.name(), ended[0], ended[1]));
      }
    }
    observe(MetricNames.JOURNEY_DURATION, -1, "outcome", "full", "level", "full");
    for (String outcome : List.of("full", "degraded", "static")) {
      answer(outcome, 0);
    }
  }

  private static String[] ended(String stage, String outcome, String cut) {
    return new String[] {"stage", stage, "variant", "v0", "outcome", outcome, "cut", cut};
  }

  RecordedJourney cap(String stage, Duration cap) {
    caps.put(stage, cap);
    return this;
  }

  /** Questions from one time to another; a scrape at the begin of each step, and one at the end. */
  RecordedJourney asked(Instant from, Instant to, Map<String, Law> laws) {
    for (Instant at = from; at.isBefore(to); at = at.plus(SCRAPES)) {
      scrape(at);
      for (int i = 0; i < QUESTIONS_A_SCRAPE; i++) {
        question(laws);
      }
    }
    scrape(to);
    return this;
  }

  private void question(Map<String, Law> laws) {
    double left = budget.total().minus(budget.reserve()).toNanos() / 1e9;
    boolean full = true;
    for (StageBudget stage : budget.stages()) {
      double took = laws.get(stage.name()).draw(random);
      double cap = capSeconds(stage);
      boolean generates = stage.type() == StageType.GENERATE;
      boolean done = took <= (generates ? left : cap);
      count(MetricNames.STAGE_STARTED, 1, "stage", stage.name());
      observe(
          MetricNames.STAGE_DURATION,
          Math.min(took, generates ? left : cap),
          ended(
              stage.name(),
              done ? "success" : "timeout",
              done ? "" : generates ? "deadline" : "cap"));
      left -= Math.min(took, generates ? left : cap);
      if (generates && !done) {
        answer("static", 1);
        return;
      }
      full &= done;
    }
    answer(full ? "full" : "degraded", 1);
    observe(
        MetricNames.JOURNEY_DURATION,
        budget.total().toNanos() / 1e9 - left,
        "outcome",
        "full",
        "level",
        "full");
  }

  private double capSeconds(StageBudget stage) {
    Duration cap = caps.getOrDefault(stage.name(), stage.cap());
    return cap == null ? Double.POSITIVE_INFINITY : cap.toNanos() / 1e9;
  }

  private void answer(String outcome, double count) {
    String level = outcome.equals("static") ? "sorry" : "full";
    count(MetricNames.ANSWERS, count, "outcome", outcome, "level", level, "deadline", "own");
  }

  /** A negative time makes the series and counts nothing. */
  private void observe(String histogram, double seconds, String... labels) {
    for (double boundary : boundaries) {
      String le = Double.toString(boundary);
      bucket(histogram, le, seconds >= 0 && seconds <= boundary ? 1 : 0, labels);
    }
    bucket(histogram, "+Inf", seconds >= 0 ? 1 : 0, labels);
    count(histogram + "_count", seconds >= 0 ? 1 : 0, labels);
  }

  private void bucket(String histogram, String le, double count, String... labels) {
    String[] all = java.util.Arrays.copyOf(labels, labels.length + 2);
    all[labels.length] = "le";
    all[labels.length + 1] = le;
    count(histogram + "_bucket", count, all);
  }

  private void count(String metric, double count, String... labels) {
    counters.merge(new Series(metric, labelled(labels)), count, Double::sum);
  }

  private Map<String, String> labelled(String... labels) {
    Map<String, String> all = new HashMap<>(journey);
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].isEmpty()) {
        all.put(labels[i], labels[i + 1]);
      }
    }
    return Map.copyOf(all);
  }

  private void scrape(Instant at) {
    counters.forEach(
        (series, value) -> recorder.sample(series.metric(), series.labels(), at, value));
    for (StageBudget stage : budget.stages()) {
      double cap = capSeconds(stage);
      if (Double.isFinite(cap)) {
        recorder.sample(MetricNames.STAGE_CAP, labelled("stage", stage.name()), at, cap);
      }
    }
  }
}
