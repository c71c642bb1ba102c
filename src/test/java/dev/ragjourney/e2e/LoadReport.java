package dev.ragjourney.e2e;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What became of the questions of one load. */
record LoadReport(String name, List<Reply> replies) {
  LoadReport {
    replies = List.copyOf(replies);
  }

  double share(Predicate<Reply> what) {
    return (double) count(what) / replies.size();
  }

  long count(Predicate<Reply> what) {
    return replies.stream().filter(what).count();
  }

  double fullShare() {
    return share(Reply::full);
  }

  /** Static, late and failed: nothing made from documents came in time. */
  double missShare() {
    return share(reply -> !reply.answered() || reply.overBudget());
  }

  /** Milliseconds; p is 0…1, 1 for the slowest. */
  double latencyMillis(double p) {
    long[] sorted = replies.stream().mapToLong(Reply::latencyNanos).sorted().toArray();
    int index = (int) Math.ceil(p * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)] / 1e6;
  }

  @Override
  public String toString() {
    TreeMap<String, Integer> failures = new TreeMap<>();
    for (Reply reply : replies) {
      if (!reply.answered()) {
        String why = reply.failure() == null ? "HTTP " + reply.status() : reply.failure();
        failures.merge(why, 1, Integer::sum);
      }
    }
    return String.format(
        Locale.ROOT,
        "%-28s %5d questions  full %5.1f %%  degraded %5.1f %%  missed %4.2f %%"
            + "  p50 %4.0f ms  p99 %4.0f ms  max %4.0f ms  failures %s",
        name,
        replies.size(),
        100 * fullShare(),
        100 * share(reply -> reply.answered() && reply.degraded() && !reply.overBudget()),
        100 * missShare(),
        latencyMillis(0.5),
        latencyMillis(0.99),
        latencyMillis(1),
        failures);
  }
}
