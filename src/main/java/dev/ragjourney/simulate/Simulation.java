package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.simulate.Scenario.Epoch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Runs a scenario for every mover, on the same requests. */
public final class Simulation {
  /** Journeys on which settings are tried where the world has no memory. */
  static final int JOURNEYS = 20_000;

  /** Journeys on which the neighbourhood of the best settings is looked at. */
  private static final int QUICK = 4_000;

  private final Scenario scenario;
  private final List<Ground> grounds = new ArrayList<>();
  private final List<MoverRun> runs = new ArrayList<>();
  private final List<Optimum> optima = new ArrayList<>();
  private final List<JourneyBudget> bestSettings = new ArrayList<>();
  private final List<Worth> bestWorths = new ArrayList<>();

  private Simulation(Scenario scenario) {
    this.scenario = scenario;
    Scores scores = new Scores(scenario.seed(), JOURNEYS, scenario.correlation());
    for (Epoch epoch : scenario.epochs()) {
      grounds.add(new Ground(scenario, epoch, scores));
    }
    for (Mover mover : Mover.values()) {
      if (mover != Mover.OPTIMUM) {
        runs.add(new MoverRun(scenario, mover, grounds.getFirst()));
      }
    }
    grounds.forEach(ground -> optima.add(new Optimum(ground)));
  }

  /** By mover, in the order of {@link Mover}. */
  public static Map<Mover, MoverResult> run(Scenario scenario) {
    return new Simulation(scenario).run();
  }

  private Map<Mover, MoverResult> run() {
    int mostLaws = grounds.stream().mapToInt(ground -> ground.keys().size()).max().orElse(0);
    Traffic traffic = new Traffic(scenario, mostLaws);
    for (int window = 0; window < scenario.windows(); window++) {
      int now = window;
      int epoch = scenario.epochOf(window);
      Ground ground = grounds.get(epoch);
      Vectors vectors = traffic.window(window, ground.keys(), ground.latencies());
      runs.forEach(run -> run.window(now, ground, vectors));
      if (scenario.hasMemory()) {
        hindsight(window, ground, vectors, optima.get(epoch));
      } else {
        runs.forEach(run -> optima.get(epoch).add(run.settings().getLast()));
      }
    }
    if (!scenario.hasMemory()) {
      foresight();
    }
    Map<Mover, MoverResult> results = new EnumMap<>(Mover.class);
    runs.forEach(run -> results.put(run.mover(), run.result()));
    List<@Nullable Double> none = List.of();
    results.put(
        Mover.OPTIMUM,
        Fold.of(scenario, Mover.OPTIMUM, bestSettings, bestWorths, none, 0, List.of()));
    return results;
  }

  /** What was best on the very requests of a window, of all that anybody had. */
  private void hindsight(int window, Ground ground, Vectors vectors, Optimum optimum) {
    if (vectors.journeys() == 0) {
      bestSettings.add(ground.journey().budget());
      bestWorths.add(Worth.UNKNOWN);
      return;
    }
    ToDoubleFunction<JourneyBudget> worth = of -> j(ground, ground.happened(of, vectors));
    if (window == ground.epoch().from()) {
      runs.forEach(run -> optimum.add(run.settings().getLast()));
      optimum.polish(worth);
    }
    JourneyBudget best = optimum.best(worth);
    Worth most = ground.happened(best, vectors);
    for (MoverRun run : runs) {
      if (j(ground, run.worths().getLast()) > j(ground, most)) {
        best = run.settings().getLast();
        most = run.worths().getLast();
      }
    }
    bestSettings.add(best);
    bestWorths.add(most);
  }

  private void foresight() {
    for (int e = 0; e < grounds.size(); e++) {
      Ground ground = grounds.get(e);
      Optimum optimum = optima.get(e);
      optimum.polish(of -> j(ground, ground.expected(of, QUICK)));
      JourneyBudget best = optimum.best(of -> j(ground, ground.expected(of)));
      int to = e + 1 < grounds.size() ? grounds.get(e + 1).epoch().from() : scenario.windows();
      to = Math.min(to, scenario.windows());
      Worth worth = ground.epoch().requests() == 0 ? Worth.UNKNOWN : ground.expected(best);
      for (int window = ground.epoch().from(); window < to; window++) {
        bestSettings.add(best);
        bestWorths.add(worth);
      }
    }
  }

  private static double j(Ground ground, Worth worth) {
    return worth.j(ground.journey().policy().missRatio());
  }
}
