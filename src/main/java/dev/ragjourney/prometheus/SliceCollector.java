package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Collects one slice of one journey. */
final class SliceCollector {
  private static final int MOST_DEFECTS = 5;

  private final Map<String, StageCollector> stages = new TreeMap<>();
  private final Map<String, Double> answers = new HashMap<>();
  private final Map<String, Double> levels = new HashMap<>();
  private final Map<String, Double> fallbacks = new HashMap<>();
  private final CumulativeBuckets duration = new CumulativeBuckets();
  private final CumulativeBuckets remaining = new CumulativeBuckets();
  private final List<WindowSlice.Defect> defects = new ArrayList<>();

  void add(Kind kind, Map<String, String> labels, double value) {
    if (!Double.isFinite(value)) {
      defect(Reasons.NOT_FINITE, kind.label() + " of " + of(labels) + " is " + value);
      return;
    }
    if (value < 0) {
      defect(Reasons.COUNTER_RESET, kind.label() + " of " + of(labels) + " grew by " + value);
      return;
    }
    switch (kind) {
      case LATENCY ->
          boundary(labels)
              .ifPresent(
                  le ->
                      stage(labels)
                          .latency(
                              labels.getOrDefault(Labels.OUTCOME, ""),
                              labels.getOrDefault(Labels.CUT, ""),
                              le,
                              value));
      case FALLBACK_LATENCY ->
          boundary(labels)
              .ifPresent(
                  le -> stage(labels).fallback(labels.getOrDefault(Labels.OUTCOME, ""), le, value));
      case LATE ->
          boundary(labels)
              .ifPresent(
                  le -> stage(labels).late(labels.getOrDefault(Labels.OUTCOME, ""), le, value));
      case STARTED -> {
        if (!stage(labels).started(value)) {
          defect(Reasons.SEVERAL_SERIES, "started of " + of(labels) + " is there twice");
        }
      }
      case SCRAPED -> throw new IllegalArgumentException("a journey's, not a slice's");
      case DOUBLED ->
          defect(
              Reasons.SEVERAL_SERIES,
              "a pod is scraped twice, with the label pod and without it; its calls count twice");
      case ERRORS -> stage(labels).errors(value);
      case SKIPPED -> stage(labels).skipped(labels.getOrDefault(Labels.REASON, ""), value);
      case LOWEST_CAP -> stage(labels).lowestCap(value);
      case HIGHEST_CAP -> stage(labels).highestCap(value);
      case ANSWERS -> {
        answers.merge(labels.getOrDefault(Labels.OUTCOME, ""), value, Double::sum);
        levels.merge(labels.getOrDefault(Labels.LEVEL, ""), value, Double::sum);
      }
      case FALLBACKS -> fallbacks.merge(labels.getOrDefault(Labels.STAGE, ""), value, Double::sum);
      case DURATION -> boundary(labels).ifPresent(le -> duration.add(le, value));
      case REMAINING -> boundary(labels).ifPresent(le -> remaining.add(le, value));
    }
  }

  private StageCollector stage(Map<String, String> labels) {
    return stages.computeIfAbsent(labels.getOrDefault(Labels.STAGE, ""), _ -> new StageCollector());
  }

  /** Whether anything was counted: a single scrape gives caps and no counts. */
  boolean counted() {
    return !defects.isEmpty() || stages.values().stream().anyMatch(StageCollector::counted);
  }

  WindowSlice slice(Instant to, Duration interval) {
    Map<String, StageWindow> windows = new HashMap<>();
    stages.forEach(
        (name, stage) -> {
          if (stage.counted()) {
            try {
              windows.put(name, stage.window());
            } catch (CumulativeBuckets.MixedLayoutException e) {
              defect(Reasons.LAYOUT_CHANGED, name + ": " + e.getMessage());
            }
          }
        });
    LatencyHistogram counted = histogram(duration);
    LatencyHistogram left = histogram(remaining);
    return new WindowSlice(
        to.minus(interval), to, windows, answers, levels, fallbacks, counted, left, defects);
  }

  private LatencyHistogram histogram(CumulativeBuckets buckets) {
    try {
      return buckets.histogram();
    } catch (CumulativeBuckets.MixedLayoutException e) {
      defect(Reasons.LAYOUT_CHANGED, "journey: " + e.getMessage());
      return LatencyHistogram.EMPTY;
    }
  }

  private Optional<Double> boundary(Map<String, String> labels) {
    String le = labels.getOrDefault(Labels.LE, "");
    if (le.equals("+Inf")) {
      return Optional.of(Double.POSITIVE_INFINITY);
    }
    try {
      return Optional.of(Double.parseDouble(le));
    } catch (NumberFormatException e) {
      defect(Reasons.LAYOUT_CHANGED, "bucket with le=\"" + le + "\" of " + of(labels));
      return Optional.empty();
    }
  }

  private void defect(String reason, String message) {
    if (defects.size() < MOST_DEFECTS) {
      defects.add(new WindowSlice.Defect(reason, message));
    }
  }

  private static String of(Map<String, String> labels) {
    return labels.getOrDefault(Labels.STAGE, "the journey");
  }
}
