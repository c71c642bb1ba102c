package dev.ragjourney.server;

import dev.ragjourney.pipeline.Route;
import dev.ragjourney.plan.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan with its route and the backends it holds on to. Retired, it lets go of them when its last
 * journey has ended.
 */
final class LoadedPlan {
  private final Plan plan;
  private final BackendPool pool;
  private final AnswerCaches caches;
  private final Map<BackendUse, Backend> backends;
  private final Route route;
  private final Ladder ladder;
  private int journeys;
  private boolean retired;

  private LoadedPlan(
      Plan plan,
      BackendPool pool,
      AnswerCaches caches,
      Map<BackendUse, Backend> backends,
      Route route) {
    this.plan = plan;
    this.pool = pool;
    this.caches = caches;
    this.backends = backends;
    this.route = route;
    this.ladder = Ladder.of(plan.budget());
  }

  /**
   * @throws IllegalArgumentException if a backend cannot be opened or does not serve a stage that
   *     names it; then nothing stays open
   */
  static LoadedPlan open(Plan plan, BackendPool pool, AnswerCaches caches) {
    Map<BackendUse, Backend> held = new HashMap<>();
    Map<String, Backend> byName = new HashMap<>();
    try {
      for (BackendUse use : AnswerCaches.with(plan, pool.factory())) {
        Backend opened = pool.acquire(use, plan.warmUp());
        held.put(use, opened);
        byName.put(use.plan().name(), opened);
      }
      Route route = RouteBuilder.build(plan, byName);
      return new LoadedPlan(
          plan,
          pool,
          caches,
          Map.copyOf(held),
          route.answeringFrom(caches.acquire(plan, held.keySet(), byName)));
    } catch (RuntimeException e) {
      held.keySet().forEach(pool::release);
      throw e;
    }
  }

  Plan plan() {
    return plan;
  }

  Route route() {
    return route;
  }

  Ladder ladder() {
    return ladder;
  }

  /** What the backends read when they opened. */
  List<String> contents() {
    return contents(backends.keySet());
  }

  /** What they would read now. */
  List<String> contentsNow() {
    return contents(AnswerCaches.with(plan, pool.factory()));
  }

  private static List<String> contents(Collection<BackendUse> uses) {
    return uses.stream().map(BackendUse::contents).sorted().toList();
  }

  /** What keeps the backends from working, one sentence each. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    backends.forEach(
        (use, backend) ->
            backend
                .missing()
                .forEach(what -> missing.add("backend " + use.plan().name() + ": " + what)));
    missing.sort(null);
    return List.copyOf(missing);
  }

  /** Backends that have not been warmed up yet, each handed out once. */
  Map<BackendUse, Backend> takeCold() {
    Map<BackendUse, Backend> cold = new HashMap<>(backends);
    cold.keySet().removeIf(backend -> !pool.takeWarmUp(backend));
    return cold;
  }

  /** Starts a journey, unless the plan has been retired meanwhile. */
  synchronized boolean enter() {
    if (retired) {
      return false;
    }
    journeys++;
    return true;
  }

  void leave() {
    if (lastOut()) {
      close();
    }
  }

  /** No journey starts on this plan any more. */
  void retire() {
    if (retiredEmpty()) {
      close();
    }
  }

  private synchronized boolean lastOut() {
    journeys--;
    return retired && journeys == 0;
  }

  private synchronized boolean retiredEmpty() {
    boolean first = !retired;
    retired = true;
    return first && journeys == 0;
  }

  private void close() {
    caches.release(plan, backends.keySet());
    backends.keySet().forEach(pool::release);
  }
}
