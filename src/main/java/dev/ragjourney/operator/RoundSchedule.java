package dev.ragjourney.operator;

import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * When which readings are due. Journeys with the same interval and window share one reading. The
 * first one comes soon after the group is known, each next one an interval later, ± 10 % so that
 * several operators do not ask at the same moment.
 */
final class RoundSchedule {
  /** Prometheus scrapes no faster than this in practice; shorter rounds would see nothing new. */
  static final Duration SHORTEST = Duration.ofSeconds(10);

  private static final Duration FIRST_WITHIN = Duration.ofSeconds(5);
  private static final double JITTER = 0.1;

  /** Journeys that share a reading. */
  record Group(Duration interval, Duration window) {
    static Group of(RebalancePolicy policy) {
      Duration interval = policy.interval().compareTo(SHORTEST) < 0 ? SHORTEST : policy.interval();
      return new Group(interval, policy.window());
    }
  }

  private final RandomGenerator random;
  private final Map<Group, Long> due = new HashMap<>();

  RoundSchedule(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The groups whose time has come; each is due again an interval later.
   *
   * @param nanos monotonic
   */
  List<Group> due(Set<Group> groups, long nanos) {
    due.keySet().retainAll(groups);
    List<Group> now = new ArrayList<>();
    for (Group group : groups) {
      long at =
          due.computeIfAbsent(
              group, g -> nanos + (long) (random.nextDouble() * FIRST_WITHIN.toNanos()));
      if (at - nanos <= 0) {
        now.add(group);
        double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
        due.put(group, nanos + (long) (group.interval().toNanos() * factor));
      }
    }
    return now;
  }
}
