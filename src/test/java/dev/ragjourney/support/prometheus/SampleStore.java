package dev.ragjourney.support.prometheus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The samples of all series, as far back as the retention. */
final class SampleStore {
  private final long retentionMillis;
  private final Map<String, Map<Map<String, String>, Samples>> series = new ConcurrentHashMap<>();

  SampleStore(long retentionMillis) {
    this.retentionMillis = retentionMillis;
  }

  /** The samples of one series in a range. */
  record Range(Map<String, String> labels, long[] millis, double[] values) {}

  void add(String metric, Map<String, String> labels, long millis, double value) {
    series
        .computeIfAbsent(metric, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(labels, _ -> new Samples())
        .add(millis, value, millis - retentionMillis);
  }

  /** Forgets the series that have no sample since. */
  void forgetBefore(long millis) {
    series
        .values()
        .forEach(byLabels -> byLabels.values().removeIf(samples -> samples.endedBefore(millis)));
  }

  /** Every series of a metric with samples from one time to another, both included. */
  List<Range> select(String metric, List<Expression.Matcher> matchers, long from, long to) {
    List<Range> found = new ArrayList<>();
    series
        .getOrDefault(metric, Map.of())
        .forEach(
            (labels, samples) -> {
              if (matchers.stream()
                  .allMatch(one -> one.matches(labels.getOrDefault(one.label(), "")))) {
                Range range = samples.range(labels, from, to);
                if (range.millis().length > 0) {
                  found.add(range);
                }
              }
            });
    return found;
  }

  /** Grows at its end and is cut at its begin. */
  private static final class Samples {
    private long[] millis = new long[16];
    private double[] values = new double[16];
    private int count;

    synchronized void add(long time, double value, long oldest) {
      if (count > 0 && millis[count - 1] >= time) {
        return;
      }
      if (count == millis.length) {
        int kept = count - first(oldest);
        int size = Math.max(16, kept * 2);
        long[] newMillis = new long[size];
        double[] newValues = new double[size];
        System.arraycopy(millis, count - kept, newMillis, 0, kept);
        System.arraycopy(values, count - kept, newValues, 0, kept);
        millis = newMillis;
        values = newValues;
        count = kept;
      }
      millis[count] = time;
      values[count] = value;
      count++;
    }

    synchronized boolean endedBefore(long time) {
      return count == 0 || millis[count - 1] < time;
    }

    synchronized Range range(Map<String, String> labels, long from, long to) {
      int first = first(from);
      int end = first(to + 1);
      return new Range(
          labels, Arrays.copyOfRange(millis, first, end), Arrays.copyOfRange(values, first, end));
    }

    /** The index of the first sample that is not older. */
    private int first(long time) {
      int index = Arrays.binarySearch(millis, 0, count, time);
      return index >= 0 ? index : -index - 1;
    }
  }
}
