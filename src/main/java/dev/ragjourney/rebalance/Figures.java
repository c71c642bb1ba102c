package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Folds what a round saw into figures for status. */
final class Figures {
  private static final String FULL = "full";
  private static final String DEGRADED = "degraded";

  /** From this share on cuts by the journey's time are blamed on an earlier stage. */
  private static final double LIMITED = 0.05;

  private Figures() {}

  static RoundFigures none(JourneyBudget budget, Verdict verdict) {
    List<RoundFigures.StageFigures> stages = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      stages.add(
          new RoundFigures.StageFigures(stage.name(), 0, null, null, null, null, null, null, null));
    }
    return new RoundFigures(
        verdict.reason(), verdict.message(), stages, RoundFigures.JourneyFigures.NONE);
  }

  static RoundFigures of(
      Slices slices, List<StageFacts> stages, List<Demand> demands, Verdict verdict) {
    Map<String, Duration> needs = new HashMap<>();
    demands.forEach(demand -> needs.put(demand.stage(), demand.need()));
    List<RoundFigures.StageFigures> figures = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      StageFacts facts = stages.get(i);
      StageSample sample = facts.judged();
      boolean known = sample.timed() > 0;
      figures.add(
          new RoundFigures.StageFigures(
              facts.stage().name(),
              Math.round(sample.calls()),
              facts.p50(),
              facts.p95(),
              facts.p95AtLeast(),
              known ? needs.get(facts.stage().name()) : null,
              sample.calls() > 0 ? sample.timeoutRatio() : null,
              sample.journeys() > 0 ? sample.skippedRatio(facts.stage().optional()) : null,
              limitedBy(stages, i)));
    }
    return new RoundFigures(verdict.reason(), verdict.message(), figures, journey(slices));
  }

  /** The earlier stage that takes the most time at its 95th percentile. */
  private static @Nullable String limitedBy(List<StageFacts> stages, int index) {
    StageFacts limited = stages.get(index);
    StageSample sample = limited.judged();
    if (sample.deadlineCutRatio() < LIMITED && sample.noTimeRatio() < LIMITED) {
      return null;
    }
    String slowest = null;
    Duration most = Duration.ZERO;
    for (StageFacts earlier : stages.subList(0, index)) {
      String group = earlier.stage().group();
      Duration time = Optional.ofNullable(earlier.p95()).orElseGet(() -> atLeast(earlier));
      boolean beside = group != null && Objects.equals(group, limited.stage().group());
      if (!beside && time.compareTo(most) > 0) {
        most = time;
        slowest = earlier.stage().name();
      }
    }
    return slowest;
  }

  private static Duration atLeast(StageFacts facts) {
    Duration least = facts.p95AtLeast();
    return least == null ? Duration.ZERO : least;
  }

  private static RoundFigures.JourneyFigures journey(Slices slices) {
    Map<String, Double> answers = new HashMap<>();
    Map<String, Double> levels = new HashMap<>();
    LatencyHistogram duration = LatencyHistogram.zero(slices.layout());
    for (WindowSlice slice : slices.all()) {
      slice.answers().forEach((outcome, count) -> answers.merge(outcome, count, Double::sum));
      slice.levels().forEach((level, count) -> levels.merge(level, count, Double::sum));
      Optional<LatencyHistogram> fitting = slice.duration().on(slices.layout());
      if (fitting.isPresent()) {
        duration = duration.plus(fitting.get());
      }
    }
    double all = answers.values().stream().mapToDouble(Double::doubleValue).sum();
    double full = answers.getOrDefault(FULL, 0.0);
    double degraded = answers.getOrDefault(DEGRADED, 0.0);
    boolean some = all > 0;
    return new RoundFigures.JourneyFigures(
        Math.round(all),
        toDuration(LifeTable.of(duration).quantile(0.95)),
        some ? (full + degraded) / all : null,
        some ? degraded / all : null,
        some ? (all - full - degraded) / all : null,
        usual(levels),
        toDuration(remainingAtGenerate(slices)));
  }

  /** The median of the slices that have the newest one's boundaries, which are budget shares. */
  private static OptionalDouble remainingAtGenerate(Slices slices) {
    LatencyHistogram sum = slices.newest().remainingAtGenerate();
    for (WindowSlice slice : slices.all().subList(0, slices.all().size() - 1)) {
      LatencyHistogram older = slice.remainingAtGenerate();
      if (older.boundaries().equals(sum.boundaries()) && !sum.counts().isEmpty()) {
        sum = sum.plus(older);
      }
    }
    return sum.linearQuantile(0.5);
  }

  private static @Nullable String usual(Map<String, Double> levels) {
    String usual = null;
    double most = 0;
    for (Map.Entry<String, Double> level : new TreeMap<>(levels).entrySet()) {
      if (level.getValue() > most) {
        most = level.getValue();
        usual = level.getKey();
      }
    }
    return usual;
  }

  private static @Nullable Duration toDuration(OptionalDouble seconds) {
    return seconds.isPresent() ? Seconds.toDuration(seconds.getAsDouble()) : null;
  }
}
