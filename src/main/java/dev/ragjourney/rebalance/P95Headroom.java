package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plain rule: every stage's cap becomes its p95 plus headroom, as far as the pool reaches.
 *
 * <p>Pool: total − reserve − generate's floor. Stages that need less than their cap give at once,
 * {@code g = max(need, cap × (1 − down), min)}. What then is free is shared among those that need
 * more, {@code cap + f × l} with {@code l = min(need, cap × (1 + up), max) − cap} and the largest f
 * in 0…1 for which all caps fit. If they do not fit even at f = 0, nobody receives and optional
 * stages shrink by at most {@code down}, all by the same share of what they can lose. A parallel
 * group counts as its largest cap.
 */
final class P95Headroom {
  private static final long MILLI = 1_000_000;
  private static final int BISECTIONS = 60;

  private final List<Demand> demands;
  private final Map<String, List<Integer>> groups;
  private final long pool;
  private final double down;

  private P95Headroom(List<Demand> demands, Duration pool, double down) {
    this.demands = demands;
    this.groups = groups(demands);
    this.pool = pool.toNanos();
    this.down = down;
  }

  /** The caps that the rule asks for, by stage, in whole milliseconds where they differ. */
  static Map<String, Duration> caps(
      List<Demand> demands, Duration pool, double maxStepUp, double maxStepDown) {
    return new P95Headroom(demands, pool, maxStepDown).caps(maxStepUp);
  }

  /** What caps take from the budget together. */
  static Duration path(List<Demand> demands, Map<String, Duration> caps) {
    double[] nanos =
        demands.stream()
            .mapToDouble(demand -> nanos(caps.getOrDefault(demand.stage(), demand.cap())))
            .toArray();
    return Duration.ofNanos(Math.round(path(groups(demands), nanos)));
  }

  private static double nanos(Duration duration) {
    return (double) duration.toNanos();
  }

  private Map<String, Duration> caps(double up) {
    double[] base = new double[demands.size()];
    double[] wanted = new double[demands.size()];
    for (int i = 0; i < base.length; i++) {
      Demand demand = demands.get(i);
      double cap = nanos(demand.cap());
      double need = nanos(demand.need());
      base[i] = cap;
      wanted[i] = cap;
      if (!demand.fixed() && need < cap) {
        base[i] = Math.min(cap, ceil(Math.max(need, lowest(demand))));
        wanted[i] = base[i];
      } else if (!demand.fixed() && need > cap) {
        double most = Math.min(cap * (1 + up), nanos(demand.max()));
        wanted[i] = Math.max(cap, floor(Math.min(need, most)));
      }
    }
    double[] result = path(groups, base) > pool ? shrunk(base) : grown(base, wanted);
    Map<String, Duration> caps = new LinkedHashMap<>();
    for (int i = 0; i < result.length; i++) {
      caps.put(demands.get(i).stage(), Duration.ofNanos(Math.round(result[i])));
    }
    return caps;
  }

  private double[] grown(double[] base, double[] wanted) {
    double[] start = base.clone();
    for (List<Integer> group : groups.values()) {
      double largest = largest(group, base);
      for (int i : group) {
        start[i] = Math.max(base[i], Math.min(wanted[i], largest));
      }
    }
    double share = largestFitting(start, wanted);
    double[] result = new double[start.length];
    for (int i = 0; i < result.length; i++) {
      double cap = between(start[i], wanted[i], share);
      result[i] = wanted[i] > base[i] ? Math.max(base[i], floor(cap)) : cap;
    }
    return result;
  }

  private double[] shrunk(double[] base) {
    double[] least = base.clone();
    for (int i = 0; i < base.length; i++) {
      Demand demand = demands.get(i);
      if (demand.optional() && !demand.fixed()) {
        least[i] = Math.min(base[i], ceil(lowest(demand)));
      }
    }
    for (List<Integer> group : groups.values()) {
      double largest = largest(group, least);
      for (int i : group) {
        least[i] = Math.min(base[i], Math.max(least[i], largest));
      }
    }
    double share = path(groups, least) > pool ? 0 : largestFitting(least, base);
    double[] result = new double[base.length];
    for (int i = 0; i < result.length; i++) {
      double cap = between(least[i], base[i], share);
      result[i] = least[i] < base[i] ? Math.max(least[i], floor(cap)) : cap;
    }
    return result;
  }

  /** The largest share of the way between two vectors of caps at which they fit the pool. */
  private double largestFitting(double[] from, double[] to) {
    if (path(groups, to) <= pool) {
      return 1;
    }
    double fits = 0;
    double tooMuch = 1;
    for (int step = 0; step < BISECTIONS; step++) {
      double middle = (fits + tooMuch) / 2;
      double[] caps = new double[from.length];
      for (int i = 0; i < caps.length; i++) {
        caps[i] = between(from[i], to[i], middle);
      }
      if (path(groups, caps) <= pool) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    return fits;
  }

  private double lowest(Demand demand) {
    return Math.max(nanos(demand.cap()) * (1 - down), nanos(demand.min()));
  }

  private static double between(double from, double to, double share) {
    return from + (to - from) * share;
  }

  private static double path(Map<String, List<Integer>> groups, double[] caps) {
    double sum = 0;
    for (List<Integer> group : groups.values()) {
      sum += largest(group, caps);
    }
    return sum;
  }

  private static double largest(List<Integer> group, double[] caps) {
    double largest = 0;
    for (int i : group) {
      largest = Math.max(largest, caps[i]);
    }
    return largest;
  }

  /** Indexes by group; a stage that runs alone is a group of its own. */
  private static Map<String, List<Integer>> groups(List<Demand> demands) {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < demands.size(); i++) {
      Demand demand = demands.get(i);
      String key = demand.group() == null ? "stage " + demand.stage() : "group " + demand.group();
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(i);
    }
    return groups;
  }

  private static double ceil(double nanos) {
    return Math.ceil(nanos / MILLI) * MILLI;
  }

  private static double floor(double nanos) {
    return Math.floor(nanos / MILLI) * MILLI;
  }
}
