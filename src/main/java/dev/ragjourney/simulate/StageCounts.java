package dev.ragjourney.simulate;

import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.simulate.Call.Cut;
import dev.ragjourney.simulate.Call.State;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one stage's calls took, counted as the pods' metrics count and their queries read. */
final class StageCounts {
  private static final double NANOS = 1e9;

  private final List<Double> layout;
  private final double[] edges;
  private final double[] completed;
  private final double[] capCut;
  private final double[] deadlineCut;
  private final double[] fallbackCompleted;
  private final double[] fallbackCut;
  private final Map<String, Double> skipped = new HashMap<>();
  private double started;
  private double errors;
  private double fallbacksGiven;

  StageCounts(List<Double> layout) {
    this.layout = layout;
    edges = layout.stream().mapToDouble(Double::doubleValue).toArray();
    completed = new double[edges.length + 1];
    capCut = new double[edges.length + 1];
    deadlineCut = new double[edges.length + 1];
    fallbackCompleted = new double[edges.length + 1];
    fallbackCut = new double[edges.length + 1];
  }

  /**
   * The stage's first call.
   *
   * @param full it was made in the form that rebalancing looks at
   */
  void primary(Call call, boolean full) {
    started++;
    if (!full) {
      return;
    }
    switch (call.state()) {
      case ANSWERED -> add(completed, call.elapsedNanos());
      case FAILED -> errors++;
      case CUT -> {
        if (call.cut() != Cut.UNWANTED) {
          add(call.cut() == Cut.CAP ? capCut : deadlineCut, call.elapsedNanos());
        }
      }
      case IDLE, RUNNING -> throw new IllegalStateException("only what has ended is counted");
    }
  }

  void fallback(Call call) {
    if (call.state() == State.ANSWERED) {
      fallbacksGiven++;
      add(fallbackCompleted, call.elapsedNanos());
    } else if (call.state() == State.CUT) {
      add(fallbackCut, call.elapsedNanos());
    }
  }

  void skipped(String reason) {
    skipped.merge(reason, 1.0, Double::sum);
  }

  double fallbacksGiven() {
    return fallbacksGiven;
  }

  StageWindow window(StageWindow.@Nullable CapSpan caps) {
    return new StageWindow(
        started,
        histogram(completed),
        histogram(capCut),
        histogram(deadlineCut),
        LatencyHistogram.EMPTY,
        errors,
        skipped,
        histogram(fallbackCompleted),
        histogram(fallbackCut),
        caps);
  }

  private void add(double[] counts, long nanos) {
    int found = Arrays.binarySearch(edges, nanos / NANOS);
    counts[found >= 0 ? found : -found - 1]++;
  }

  private LatencyHistogram histogram(double[] counts) {
    return new LatencyHistogram(layout, Arrays.stream(counts).boxed().toList());
  }
}
