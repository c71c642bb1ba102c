package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.simulate.Scenario.Epoch;
import dev.ragjourney.simulate.Scenario.Load;
import java.util.HashMap;
import java.util.Map;

/**
 * One epoch's world made ready: what its windows bring under some settings, and what settings are
 * worth in it.
 */
final class Ground {
  private final Scenario scenario;
  private final Epoch epoch;
  private final LawKeys keys;
  private final Latency[] latencies;
  private final Vectors common;
  private final Map<JourneyBudget, Worth> known = new HashMap<>();

  Ground(Scenario scenario, Epoch epoch, Scores scores) {
    this.scenario = scenario;
    this.epoch = epoch;
    keys = LawKeys.of(epoch.journey(), epoch.laws().keySet());
    latencies = Traffic.latencies(keys, epoch);
    long[][] byLaw = new long[keys.size()][];
    for (int law = 0; law < byLaw.length; law++) {
      String name = keys.names().get(law);
      Law of = epoch.laws().get(name);
      byLaw[law] = scores.latencies(name, java.util.Objects.requireNonNull(of), keys.own(law));
    }
    common = new Vectors(byLaw, latencies, scenario.seed(), scores.journeys());
  }

  SimulatedJourney journey() {
    return epoch.journey();
  }

  Epoch epoch() {
    return epoch;
  }

  LawKeys keys() {
    return keys;
  }

  Latency[] latencies() {
    return latencies;
  }

  /** What is to be expected of settings, whatever the traffic. */
  Worth expected(JourneyBudget settings) {
    return known.computeIfAbsent(settings, any -> expected(any, common.journeys()));
  }

  /** The same from the first of the journeys alone. */
  Worth expected(JourneyBudget settings, int journeys) {
    World world = world(settings);
    JourneyRun run = new JourneyRun(world, helps(settings), Servers.ENOUGH, null);
    int full = 0;
    int missed = 0;
    for (int i = 0; i < journeys; i++) {
      run.run(common.at(i), world.tries(i));
      Outcome outcome = run.outcome();
      full += outcome == Outcome.FULL ? 1 : 0;
      missed += outcome != null && outcome.missed() ? 1 : 0;
    }
    return new Worth(
        (double) full / journeys,
        (double) (journeys - full - missed) / journeys,
        (double) missed / journeys);
  }

  /** What became of the requests of one window, from idle backends on. */
  Worth happened(JourneyBudget settings, Vectors window) {
    Counts counts = new Counts(settings);
    travel(settings, window, 0, window.journeys(), helps(settings), counts);
    return counts.worth();
  }

  /** Lets the requests of a window from one on up to another travel, and counts. */
  void travel(
      JourneyBudget settings, Vectors window, int from, int to, Helps helps, Counts counts) {
    World world = world(settings);
    Load load = scenario.load();
    if (load == null) {
      JourneyRun run = new JourneyRun(world, helps, Servers.ENOUGH, counts);
      for (int i = from; i < to; i++) {
        run.run(window.at(i), world.tries(i));
      }
      return;
    }
    int[] servers = new int[keys.size()];
    for (int law = 0; law < servers.length; law++) {
      servers[law] = load.servers().getOrDefault(keys.names().get(law), 0);
    }
    BusyServers busy = new BusyServers(servers);
    JourneyRun[] runs = new JourneyRun[to - from];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = new JourneyRun(world, helps, busy, counts);
    }
    long length = epoch.journey().policy().interval().toNanos();
    busy.run(runs, window, Traffic.arrivals(runs.length, length, load.burst(), window.seed()));
  }

  Helps helps(JourneyBudget settings) {
    return new Helps(settings, scenario.seed());
  }

  private World world(JourneyBudget settings) {
    return World.of(epoch.journey().with(settings), keys);
  }
}
