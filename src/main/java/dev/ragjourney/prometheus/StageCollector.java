package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.StageWindow;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects one stage of one slice. */
final class StageCollector {
  private final CumulativeBuckets completed = new CumulativeBuckets();
  private final CumulativeBuckets capCut = new CumulativeBuckets();
  private final CumulativeBuckets deadlineCut = new CumulativeBuckets();
  private final CumulativeBuckets lost = new CumulativeBuckets();
  private final CumulativeBuckets fallbackCompleted = new CumulativeBuckets();
  private final CumulativeBuckets fallbackCut = new CumulativeBuckets();
  private final CumulativeBuckets lateCompleted = new CumulativeBuckets();
  private final CumulativeBuckets lateRunning = new CumulativeBuckets();
  private final Map<String, Double> skipped = new HashMap<>();
  private double started;
  private int startedSeries;
  private double errors;
  private @Nullable Double lowestCap;
  private @Nullable Double highestCap;
  private boolean counted;

  /** False if that was said before: every query's series is one, so somebody doubled it. */
  boolean started(double count) {
    counted = true;
    started += count;
    return startedSeries++ == 0;
  }

  void errors(double count) {
    counted = true;
    errors += count;
  }

  void skipped(String reason, double count) {
    counted = true;
    skipped.merge(reason, count, Double::sum);
  }

  /** A cancelled call counts only if its own fallback was faster. */
  void latency(String outcome, String cut, double boundary, double count) {
    counted = true;
    switch (outcome) {
      case "success", "degraded" -> completed.add(boundary, count);
      case "timeout" -> (cut.equals("cap") ? capCut : deadlineCut).add(boundary, count);
      default -> {
        if (cut.equals("lost")) {
          lost.add(boundary, count);
        }
      }
    }
  }

  void fallback(String outcome, double boundary, double count) {
    counted = true;
    boolean completed = outcome.equals("success") || outcome.equals("degraded");
    (completed ? fallbackCompleted : fallbackCut).add(boundary, count);
  }

  /** What a call that went on after its cut at the cap came to; alone it is no figure. */
  void late(String outcome, double boundary, double count) {
    (outcome.equals("success") ? lateCompleted : lateRunning).add(boundary, count);
  }

  void lowestCap(double seconds) {
    lowestCap = lowestCap == null ? seconds : Math.min(lowestCap, seconds);
  }

  void highestCap(double seconds) {
    highestCap = highestCap == null ? seconds : Math.max(highestCap, seconds);
  }

  /** A cap alone is no figure. */
  boolean counted() {
    return counted;
  }

  StageWindow window() throws CumulativeBuckets.MixedLayoutException {
    return new StageWindow(
        started,
        completed.histogram(),
        capCut.histogram(),
        deadlineCut.histogram(),
        lost.histogram(),
        errors,
        skipped,
        fallbackCompleted.histogram(),
        fallbackCut.histogram(),
        new StageWindow.Late(lateCompleted.histogram(), lateRunning.histogram()),
        lowestCap == null || highestCap == null
            ? null
            : new StageWindow.CapSpan(duration(lowestCap), duration(highestCap)));
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
