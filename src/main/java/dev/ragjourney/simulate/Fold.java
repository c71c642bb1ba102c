package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.simulate.Scenario.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Folds a mover's windows into its figures. */
final class Fold {
  private static final double PERCENT = 100;

  /** A shift is over once J is so near to where it settles, in points. */
  private static final double NEAR = 1.5;

  /** J settles where it is in so many windows before the next shift. */
  private static final int SETTLED = 3;

  private Fold() {}

  static MoverResult of(
      Scenario scenario,
      Mover mover,
      List<JourneyBudget> settings,
      List<Worth> worths,
      List<@Nullable Double> predicted,
      int writes,
      List<MoverResult.Hold> holds) {
    double[] js = new double[worths.size()];
    List<MoverResult.Window> windows = new ArrayList<>();
    List<Double> errors = new ArrayList<>();
    for (int w = 0; w < js.length; w++) {
      Worth worth = worths.get(w);
      Epoch epoch = scenario.epochs().get(scenario.epochOf(w));
      js[w] = worth.j(epoch.journey().policy().missRatio());
      Double forecast = w < predicted.size() ? predicted.get(w) : null;
      if (forecast != null && worth.known()) {
        errors.add(Math.abs(forecast - worth.full()));
      }
      windows.add(
          new MoverResult.Window(
              settings.get(w),
              known(worth.full() * PERCENT),
              known(worth.degraded() * PERCENT),
              known(worth.miss() * PERCENT),
              known(js[w]),
              forecast == null ? null : known(forecast * PERCENT)));
    }
    return new MoverResult(
        mover,
        mean(worths, worth -> worth.full() * PERCENT),
        mean(worths, worth -> worth.degraded() * PERCENT),
        mean(worths, worth -> worth.miss() * PERCENT),
        mean(windows, window -> window.j() == null ? Double.NaN : window.j()),
        writes,
        recovery(scenario, js),
        mean(errors, error -> error * PERCENT),
        windows,
        holds);
  }

  private static <T> @Nullable Double mean(List<T> all, ToDoubleFunction<T> figure) {
    return known(
        all.stream()
            .mapToDouble(figure)
            .filter(value -> !Double.isNaN(value))
            .average()
            .orElse(Double.NaN));
  }

  private static @Nullable Double known(double figure) {
    return Double.isNaN(figure) ? null : figure;
  }

  /** The most windows after a shift until J is near to where it settles before the next one. */
  static int recovery(Scenario scenario, double[] js) {
    int most = 0;
    List<Integer> shifts = new ArrayList<>();
    for (Epoch epoch : scenario.epochs()) {
      if (epoch.from() > 0 && epoch.from() < js.length) {
        shifts.add(epoch.from());
      }
    }
    for (int i = 0; i < shifts.size(); i++) {
      int from = shifts.get(i);
      int to = i + 1 < shifts.size() ? shifts.get(i + 1) : js.length;
      double settled = settled(js, from, to);
      int windows = 0;
      while (from + windows < to
          && !Double.isNaN(settled)
          && !(js[from + windows] >= settled - NEAR)) {
        windows++;
      }
      most = Math.max(most, windows);
    }
    return most;
  }

  private static double settled(double[] js, int from, int to) {
    List<Double> last = new ArrayList<>();
    for (int w = Math.max(from, to - SETTLED); w < to; w++) {
      last.add(js[w]);
    }
    Double mean = mean(last, Double::doubleValue);
    return Objects.requireNonNullElse(mean, Double.NaN);
  }
}
