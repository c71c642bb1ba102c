package dev.ragjourney.support.scripted;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What every route does now. */
final class Script {
  /** What one request meets. */
  record Turn(Behaviour behaviour, long delayNanos, @Nullable Fault fault) {}

  private final Map<String, Route> routes = new ConcurrentHashMap<>();

  void set(String route, Behaviour behaviour) {
    routes.put(route, new Route(behaviour));
  }

  void clear() {
    routes.clear();
  }

  /** The longest scripted prefix of the path rules; then the protocol's name; then {@code *}. */
  Turn turn(String path, Protocol protocol) {
    String best = null;
    for (String route : routes.keySet()) {
      if (route.startsWith("/")
          && (path.equals(route) || path.startsWith(route.endsWith("/") ? route : route + "/"))
          && (best == null || route.length() > best.length())) {
        best = route;
      }
    }
    Route found = best == null ? null : routes.get(best);
    if (found == null) {
      found = routes.get(protocol.label());
    }
    if (found == null) {
      found = routes.get("*");
    }
    return found == null ? new Turn(Behaviour.PLAIN, 0, null) : found.next();
  }

  private static final class Route {
    private final Behaviour behaviour;
    private final Random random;
    private final int[] met;

    Route(Behaviour behaviour) {
      this.behaviour = behaviour;
      random = new Random(behaviour.seed());
      met = new int[behaviour.faults().size()];
    }

    synchronized Turn next() {
      long delay = behaviour.delay().drawNanos(random);
      Fault fault = null;
      for (int i = 0; i < met.length; i++) {
        Fault candidate = behaviour.faults().get(i);
        boolean drawn = random.nextDouble() < candidate.share();
        boolean open = candidate.times() == 0 || met[i] < candidate.times();
        if (fault == null && drawn && open) {
          met[i]++;
          fault = candidate;
        }
      }
      return new Turn(behaviour, delay, fault);
    }
  }
}
