package dev.ragjourney.support.prometheus;

import dev.ragjourney.support.prometheus.Expression.Aggregation;
import dev.ragjourney.support.prometheus.Expression.Function;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;

/** Evaluates an expression at one time, with the meaning it has in Prometheus. */
final class Evaluator {
  /** An increase reaches this many sample intervals beyond its first and last sample at most. */
  private static final double REACH = 1.1;

  /** An older sample is none. */
  private static final long LOOK_BACK_MILLIS = 300_000;

  private final SampleStore store;

  Evaluator(SampleStore store) {
    this.store = store;
  }

  /** Values by labels. */
  Map<Map<String, String>, Double> at(Expression expression, long millis) {
    return switch (expression) {
      case Expression.OverTime over -> overTime(over, millis);
      case Expression.Newest newest -> newest(newest, millis, false);
      case Expression.Timestamp(Expression.Newest newest) -> newest(newest, millis, true);
      case Expression.Aggregate aggregate -> aggregate(aggregate, at(aggregate.of(), millis));
      case Expression.LabelReplace replace -> replace(replace, at(replace.of(), millis));
      case Expression.NotEqual(Expression of, double value) -> {
        Map<Map<String, String>, Double> kept = at(of, millis);
        kept.values().removeIf(one -> one == value);
        yield kept;
      }
      case Expression.Or(Expression left, Expression right) -> {
        Map<Map<String, String>, Double> all = at(left, millis);
        at(right, millis).forEach(all::putIfAbsent);
        yield all;
      }
    };
  }

  private Map<Map<String, String>, Double> overTime(Expression.OverTime over, long millis) {
    Map<Map<String, String>, Double> result = new LinkedHashMap<>();
    long from = millis - over.rangeMillis();
    for (SampleStore.Range range : store.select(over.metric(), over.matchers(), from, millis)) {
      value(over.function(), range, from, millis)
          .ifPresent(value -> result.put(range.labels(), value));
    }
    return result;
  }

  private Map<Map<String, String>, Double> newest(
      Expression.Newest newest, long millis, boolean time) {
    Map<Map<String, String>, Double> result = new LinkedHashMap<>();
    long from = millis - LOOK_BACK_MILLIS;
    for (SampleStore.Range range : store.select(newest.metric(), newest.matchers(), from, millis)) {
      int last = range.values().length - 1;
      result.put(range.labels(), time ? range.millis()[last] / 1e3 : range.values()[last]);
    }
    return result;
  }

  private static OptionalDouble value(
      Function function, SampleStore.Range range, long from, long to) {
    return switch (function) {
      case INCREASE -> increase(range, from, to);
      case RATE -> {
        OptionalDouble increase = increase(range, from, to);
        yield increase.isPresent()
            ? OptionalDouble.of(increase.getAsDouble() * 1e3 / (to - from))
            : increase;
      }
      case MIN_OVER_TIME -> extreme(range.values(), Aggregation.MIN);
      case MAX_OVER_TIME -> extreme(range.values(), Aggregation.MAX);
    };
  }

  /**
   * What a counter grew by, a fall being a new begin at zero, extrapolated from its first and last
   * sample to the range's ends: wholly where they are near, by half a sample interval where not,
   * and never back beyond the time at which the counter would have been zero.
   */
  private static OptionalDouble increase(SampleStore.Range range, long from, long to) {
    double[] values = range.values();
    int last = values.length - 1;
    if (last < 1) {
      return OptionalDouble.empty();
    }
    double grown = values[last] - values[0];
    for (int i = 1; i <= last; i++) {
      if (values[i] < values[i - 1]) {
        grown += values[i - 1];
      }
    }
    double sampled = range.millis()[last] - range.millis()[0];
    double interval = sampled / last;
    double before = range.millis()[0] - from;
    if (grown > 0 && values[0] >= 0) {
      before = Math.min(before, sampled * values[0] / grown);
    }
    double after = to - range.millis()[last];
    double covered =
        sampled
            + (before < interval * REACH ? before : interval / 2)
            + (after < interval * REACH ? after : interval / 2);
    return OptionalDouble.of(grown * covered / sampled);
  }

  private static OptionalDouble extreme(double[] values, Aggregation extreme) {
    double result = values[0];
    for (double value : values) {
      result = folded(extreme, result, value);
    }
    return OptionalDouble.of(result);
  }

  /** The lowest or highest of numbers; NaN only if all are. */
  private static double folded(Aggregation aggregation, double one, double other) {
    return switch (aggregation) {
      case SUM, COUNT -> one + other;
      case MIN -> Double.isNaN(one) || other < one ? other : one;
      case MAX -> Double.isNaN(one) || other > one ? other : one;
    };
  }

  private static Map<Map<String, String>, Double> aggregate(
      Expression.Aggregate aggregate, Map<Map<String, String>, Double> of) {
    Map<Map<String, String>, Double> result = new LinkedHashMap<>();
    of.forEach(
        (labels, value) -> {
          Map<String, String> kept = new HashMap<>(labels);
          kept.keySet().retainAll(aggregate.by());
          result.merge(
              Map.copyOf(kept),
              aggregate.aggregation() == Aggregation.COUNT ? Double.valueOf(1) : value,
              (one, other) -> folded(aggregate.aggregation(), one, other));
        });
    return result;
  }

  private static Map<Map<String, String>, Double> replace(
      Expression.LabelReplace replace, Map<Map<String, String>, Double> of) {
    Map<Map<String, String>, Double> result = new LinkedHashMap<>();
    of.forEach(
        (labels, value) -> {
          Matcher matcher = replace.regex().matcher(labels.getOrDefault(replace.from(), ""));
          Map<String, String> changed = new HashMap<>(labels);
          if (matcher.matches()) {
            StringBuilder text = new StringBuilder();
            matcher.appendReplacement(text, replace.replacement());
            if (text.isEmpty()) {
              changed.remove(replace.to());
            } else {
              changed.put(replace.to(), text.toString());
            }
          }
          if (result.put(Map.copyOf(changed), value) != null) {
            throw new IllegalArgumentException(
                "vector cannot contain metrics with the same labelset");
          }
        });
    return result;
  }
}
