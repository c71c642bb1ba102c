package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.Turn;
import dev.ragjourney.operator.rollout.Rollout;
import dev.ragjourney.operator.rollout.Standing;
import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells journeys when to take what another operator brought. Looks at the whole fleet as the
 * watches know it, and only while somebody waits; so nothing is lost with a restart.
 */
final class RolloutWaves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutWaves.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Of its time this thread spends a tenth looking: a look at thousands takes seconds. */
  private static final int REST = 9;

  private final int atOnce;
  private final Supplier<List<Standing>> fleet;
  private final Consumer<JourneyId> changed;
  private final OperatorMetrics metrics;

  /** What was answered to those that asked and have not taken it yet. */
  private final Map<JourneyId, Turn> answered = new HashMap<>();

  private @Nullable Rollout current;
  private final Repeating thread = new Repeating("rollout-waves");

  /**
   * @param atOnce so many journeys roll at a time
   * @param fleet how every journey stands to its template
   * @param changed told of a journey whose answer is another one now
   */
  RolloutWaves(
      int atOnce,
      Supplier<List<Standing>> fleet,
      Consumer<JourneyId> changed,
      OperatorMetrics metrics) {
    this.atOnce = atOnce;
    this.fleet = fleet;
    this.changed = changed;
    this.metrics = metrics;
  }

  void start() {
    thread.start(LOOK, REST, this::look);
  }

  /** A journey whose pods serve with another template asks whether to take the wanted one. */
  synchronized Turn ask(JourneyId id) {
    Rollout now = current;
    if (now == null) {
      now = decide();
    }
    Turn turn = now.turn(id);
    answered.put(id, turn);
    return turn;
  }

  synchronized void forget(JourneyId id) {
    answered.remove(id);
  }

  private Rollout decide() {
    Rollout before = current;
    Set<JourneyId> told = new HashSet<>();
    answered.forEach(
        (id, turn) -> {
          if (turn instanceof Turn.Now) {
            told.add(id);
          }
        });
    Rollout now = Rollout.decide(atOnce, fleet.get(), told);
    metrics.rollout(
        now.held().size(), now.next().size() + now.rolling().size(), now.failed().size());
    if (before == null || !before.failed().equals(now.failed())) {
      now.failed()
          .forEach(
              each ->
                  LOG.warn(
                      "{} failed with what this operator brought ({}); {} others wait",
                      each.id(),
                      each.why(),
                      now.held().size()));
    }
    if (before == null || !before.next().equals(now.next())) {
      LOG.info(
          "a new default image or pod template: {} journeys take it, {} wait",
          now.next().size() + now.rolling().size(),
          now.held().size());
    }
    current = now;
    return now;
  }

  private void look() {
    turned().forEach(changed);
  }

  private synchronized List<JourneyId> turned() {
    if (answered.isEmpty()) {
      current = null;
      return List.of();
    }
    Rollout now = decide();
    answered.keySet().removeIf(id -> !now.held().contains(id) && !now.next().contains(id));
    return answered.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(now.turn(entry.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public void close() {
    thread.close();
  }
}
