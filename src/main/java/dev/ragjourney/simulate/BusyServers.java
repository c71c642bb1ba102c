package dev.ragjourney.simulate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * Backends with so many servers each: calls wait for one in the order in which they came. A call
 * that is cut frees its server, or its place in the queue, at once.
 */
final class BusyServers implements Servers {
  private static final int ENOUGH = 0;

  private final int[] servers;
  private final int[] busy;
  private final Deque<Call>[] waiting;
  private final PriorityQueue<Wake> wakes = new PriorityQueue<>();
  private long order;

  private record Wake(long at, long order, JourneyRun journey) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /**
   * @param servers by law; 0 for enough
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  BusyServers(int[] servers) {
    this.servers = servers.clone();
    busy = new int[servers.length];
    waiting = new Deque[servers.length];
    for (int law = 0; law < servers.length; law++) {
      waiting[law] = new ArrayDeque<>();
    }
  }

  @Override
  public void begin(Call call, long now) {
    int law = call.law();
    if (servers[law] == ENOUGH) {
      call.servedFrom(now);
    } else if (busy[law] < servers[law]) {
      busy[law]++;
      call.servedFrom(now);
    } else {
      waiting[law].addLast(call);
    }
  }

  @Override
  public void over(Call call, long now) {
    int law = call.law();
    if (servers[law] == ENOUGH) {
      return;
    }
    if (call.readyNanos() == Call.NEVER) {
      waiting[law].remove(call);
      return;
    }
    Call next = waiting[law].pollFirst();
    if (next == null) {
      busy[law]--;
    } else {
      next.servedFrom(now);
      wake(next.journey(), next.readyNanos());
    }
  }

  /** Lets all of them travel, each from its arrival on. */
  void run(JourneyRun[] journeys, Vectors vectors, long[] arrivals) {
    for (int i = 0; i < journeys.length; i++) {
      int index = i;
      boolean tries = journeys[i].world().tries(i);
      journeys[i].begin((law, ordinal) -> vectors.nanos(index, law, ordinal), arrivals[i], tries);
      wake(journeys[i], arrivals[i]);
    }
    for (Wake wake = wakes.poll(); wake != null; wake = wakes.poll()) {
      long next = wake.journey().advance(wake.at());
      if (next != Call.NEVER) {
        wake(wake.journey(), next);
      }
    }
  }

  private void wake(JourneyRun journey, long at) {
    wakes.add(new Wake(at, order++, journey));
  }
}
