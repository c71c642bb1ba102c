package dev.ragjourney.support.prometheus;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.support.prometheus.LocalPrometheus.Recorder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A pod's metrics of some past time: questions at a steady pace, each stage as slow as a seeded
 * draw from its law says, cut at its cap; whatever is cut is skipped.
 */
public final class RecordedJourney {
  private static final int QUESTIONS_A_SCRAPE = 20;

  /** A stage's latency: half of the calls are faster than the median; in seconds. */
  public record Law(double median, double sigma) {
    double draw(Random random) {
      return median * Math.exp(sigma * random.nextGaussian());
    }
  }

  /**
   * One stage's call.
   *
   * @param at of the question
   */
  public record Call(
      Instant at, String stage, String outcome, String cut, double seconds, Duration cap) {}

  private record Series(String metric, Map<String, String> labels) {}

  private final Recorder recorder;
  private final JourneyBudget budget;
  private final Map<String, String> journey;
  private final List<Double> boundaries;
  private final Map<Series, Double> counters = new LinkedHashMap<>();
  private final Map<String, Duration> caps = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final Random random = new Random(7);
  private final Duration scrapes;

  /**
   * @param scrapes the time between two scrapes
   */
  public RecordedJourney(
      Recorder recorder, String namespace, String name, JourneyBudget budget, Duration scrapes) {
    this.recorder = recorder;
    this.scrapes = scrapes;
    this.budget = budget;
    journey = Map.of("namespace", namespace, "journey", name, "pod", name + "-0");
    boundaries = LatencyBoundaries.of(budget.total());
    begin();
  }

  /** As if its process ended and came again: every count begins at zero. */
  public RecordedJourney restart() {
    counters.clear();
    begin();
    return this;
  }

  /** All calls so far. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  private void begin() {
    for (StageBudget stage : budget.stages()) {
      count(MetricNames.STAGE_STARTED, 0, "stage", stage.name());
      for (String[] ended :
          new String[][] {{"success", ""}, {"timeout", "cap"}, {"timeout", "deadline"}}) {
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

  public RecordedJourney cap(String stage, Duration cap) {
    caps.put(stage, cap);
    return this;
  }

  /** Questions from one time to another; a scrape at the begin of each step, and one at the end. */
  public RecordedJourney asked(Instant from, Instant to, Map<String, Law> laws) {
    for (Instant at = from; at.isBefore(to); at = at.plus(scrapes)) {
      scrape(at);
      for (int i = 0; i < QUESTIONS_A_SCRAPE; i++) {
        question(at, laws);
      }
    }
    scrape(to);
    return this;
  }

  private void question(Instant at, Map<String, Law> laws) {
    double left = budget.total().minus(budget.reserve()).toNanos() / 1e9;
    boolean full = true;
    for (StageBudget stage : budget.stages()) {
      double took = laws.get(stage.name()).draw(random);
      double cap = capSeconds(stage);
      boolean generates = stage.type() == StageType.GENERATE;
      boolean done = took <= (generates ? left : cap);
      double lasted = Math.min(took, generates ? left : cap);
      String cut = done ? "" : generates ? "deadline" : "cap";
      String outcome = done ? "success" : "timeout";
      calls.add(new Call(at, stage.name(), outcome, cut, lasted, capOf(stage)));
      count(MetricNames.STAGE_STARTED, 1, "stage", stage.name());
      observe(MetricNames.STAGE_DURATION, lasted, ended(stage.name(), outcome, cut));
      left -= lasted;
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

  private Duration capOf(StageBudget stage) {
    return caps.getOrDefault(stage.name(), stage.cap());
  }

  private double capSeconds(StageBudget stage) {
    Duration cap = capOf(stage);
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
    String[] all = Arrays.copyOf(labels, labels.length + 2);
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
