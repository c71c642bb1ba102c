package dev.ragjourney.operator;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.LatencySource;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.Rungs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds: on a thread of their own, one reading serves all journeys with the same interval and
 * window. A round only decides; a reconcile carries the decision out.
 */
final class Rounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final Duration TICK = Duration.ofMillis(250);

  /**
   * A journey that takes part.
   *
   * @param budget with the caps in force
   * @param moves what is remembered of earlier moves
   * @param paused caps stay for now
   * @param revision of the plan that has them
   */
  record Subject(
      JourneyId id,
      JourneyBudget budget,
      RebalancePolicy policy,
      PastMoves moves,
      boolean paused,
      long revision) {}

  private final LatencySource source;
  private final Function<RebalanceInput, RebalanceDecision> rule;
  private final BiConsumer<JourneyId, RebalanceDecision> decided;
  private final OperatorMetrics metrics;
  private final Clock clock;
  private final Map<JourneyId, Subject> subjects = new ConcurrentHashMap<>();
  private final Map<JourneyId, Round> latest = new ConcurrentHashMap<>();
  private final RoundSchedule schedule = new RoundSchedule(ThreadLocalRandom.current());
  private final Repeating thread = new Repeating("rounds");

  Rounds(
      LatencySource source,
      Function<RebalanceInput, RebalanceDecision> rule,
      BiConsumer<JourneyId, RebalanceDecision> decided,
      OperatorMetrics metrics,
      Clock clock) {
    this.source = source;
    this.rule = rule;
    this.decided = decided;
    this.metrics = metrics;
    this.clock = clock;
  }

  void start() {
    thread.start(TICK, this::tick);
  }

  void follow(Subject subject) {
    subjects.put(subject.id(), subject);
  }

  void forget(JourneyId id) {
    subjects.remove(id);
    latest.remove(id);
  }

  @Nullable Round latest(JourneyId id) {
    return latest.get(id);
  }

  /** Every group at once, due or not. */
  void runAll() {
    groups().forEach(this::run);
  }

  private void tick() {
    schedule.due(groups(), System.nanoTime()).forEach(this::run);
  }

  private Set<RoundSchedule.Group> groups() {
    return subjects.values().stream()
        .map(subject -> RoundSchedule.Group.of(subject.policy()))
        .collect(Collectors.toSet());
  }

  private void run(RoundSchedule.Group group) {
    Instant now = clock.instant();
    List<Subject> members =
        subjects.values().stream()
            .filter(subject -> RoundSchedule.Group.of(subject.policy()).equals(group))
            .toList();
    LatencyReading reading =
        read(now, group, members.stream().map(Subject::id).collect(Collectors.toSet()));
    for (Subject read : members) {
      Subject subject = subjects.get(read.id());
      if (subject != null && RoundSchedule.Group.of(subject.policy()).equals(group)) {
        decide(subject, reading.about(subject.id()), now);
      }
    }
  }

  private LatencyReading read(Instant now, RoundSchedule.Group group, Set<JourneyId> journeys) {
    long started = System.nanoTime();
    LatencyReading reading;
    try {
      reading = source.read(now, group.window(), group.interval(), journeys);
    } catch (RuntimeException e) {
      LOG.error("the latency source failed", e);
      reading = new LatencyReading.Unavailable(Reasons.QUERY_FAILED, e.toString());
    }
    metrics.round(
        reading instanceof LatencyReading.Measured, Duration.ofNanos(System.nanoTime() - started));
    switch (reading) {
      case LatencyReading.Unavailable(String reason, String message) ->
          LOG.debug("no latencies: {} {}", reason, message);
      case LatencyReading.Partial(var _, var failed) ->
          LOG.debug("no latencies of {} journeys: {}", failed.size(), failed.keySet());
      case LatencyReading.Measured _ -> {}
    }
    return reading;
  }

  private void decide(Subject subject, LatencyReading reading, Instant now) {
    try (LogContext _ = LogContext.of(subject.id(), subject.revision())) {
      RebalanceDecision decision =
          rule.apply(
              new RebalanceInput(
                  subject.budget(),
                  subject.policy(),
                  reading,
                  subject.id(),
                  subject.moves(),
                  subject.paused(),
                  now));
      metrics.decision(decision.reason());
      if (decision instanceof RebalanceDecision.Move) {
        LOG.info("{}: {} {}", subject.id(), decision.reason(), decision.message());
      }
      latest.put(
          subject.id(), new Round(now, subject.revision(), decision, rungs(reading, subject.id())));
      if (!subjects.containsKey(subject.id())) {
        latest.remove(subject.id());
        return;
      }
      decided.accept(subject.id(), decision);
    } catch (RuntimeException e) {
      LOG.error("{}: no decision", subject.id(), e);
    }
  }

  private static Rungs rungs(LatencyReading reading, JourneyId id) {
    JourneyWindow window =
        reading.about(id) instanceof LatencyReading.Measured measured
            ? measured.journeys().get(id)
            : null;
    return window == null ? Rungs.NONE : Rungs.of(window);
  }

  @Override
  public void close() {
    thread.close();
  }
}
