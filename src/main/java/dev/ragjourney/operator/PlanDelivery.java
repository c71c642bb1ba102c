package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a plan to the pods: announces it, asks who runs it, and tells when an answer changed.
 * Works beside the reconciles, never within one.
 */
final class PlanDelivery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanDelivery.class);

  /**
   * What is expected of a journey's pods.
   *
   * @param maps the ConfigMaps that hold the revision
   */
  record Target(long revision, Set<String> maps, List<PodFacts> pods) {
    /** Whether nothing changed that calls for asking again. */
    boolean sameAs(Target other) {
      return revision == other.revision && reach(pods).equals(reach(other.pods));
    }

    private static Set<List<Object>> reach(List<PodFacts> pods) {
      return pods.stream()
          .map(pod -> List.<Object>of(pod.uid(), String.valueOf(pod.adminUrl()), pod.ready()))
          .collect(Collectors.toSet());
    }
  }

  /**
   * @param started monotonic nanoseconds
   * @param run tells a superseded run from the current one
   */
  private record State(Target target, Map<String, PodAnswer> answers, long started, long run) {}

  private final PodAsker asker;
  private final Writer writer;
  private final boolean announce;
  private final Consumer<JourneyId> changed;
  private final Map<JourneyId, State> states = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("plan-delivery").daemon().factory());

  PlanDelivery(PodAsker asker, Writer writer, boolean announce, Consumer<JourneyId> changed) {
    this.asker = asker;
    this.writer = writer;
    this.announce = announce;
    this.changed = changed;
  }

  Map<String, PodAnswer> answers(JourneyId id) {
    State state = states.get(id);
    return state == null ? Map.of() : state.answers();
  }

  /** From now on the pods should run this revision. The same target again changes nothing. */
  void expect(JourneyId id, Target target) {
    AtomicBoolean fresh = new AtomicBoolean();
    State state =
        states.compute(
            id,
            (key, before) -> {
              if (before != null && before.target().sameAs(target)) {
                fresh.set(false);
                return before;
              }
              fresh.set(true);
              long run = before == null ? 0 : before.run() + 1;
              return new State(target, known(before, target), System.nanoTime(), run);
            });
    if (fresh.get() && !target.pods().isEmpty()) {
      schedule(id, state, 0);
    }
  }

  void forget(JourneyId id) {
    states.remove(id);
  }

  private static Map<String, PodAnswer> known(@Nullable State before, Target target) {
    Map<String, PodAnswer> answers = new HashMap<>();
    if (before != null) {
      for (PodFacts pod : target.pods()) {
        PodAnswer answer = before.answers().get(pod.uid());
        if (answer != null) {
          answers.put(pod.uid(), answer);
        }
      }
    }
    return answers;
  }

  private void schedule(JourneyId id, State state, int step) {
    long due = state.started() + DeliverySteps.step(step).after().toNanos();
    try {
      ScheduledFuture<?> _ =
          timer.schedule(
              () -> Thread.ofVirtual().start(() -> run(id, state.run(), step)),
              Math.max(0, due - System.nanoTime()),
              TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("{}: delivery ends with the operator", id);
    }
  }

  private void run(JourneyId id, long run, int step) {
    State state = states.get(id);
    if (state == null || state.run() != run) {
      return;
    }
    try (LogContext _ = LogContext.of(id, state.target().revision())) {
      Target target = state.target();
      Map<String, PodAnswer> answers = asker.ask(id, target.pods());
      if (!tell(id, run, answers) || complete(target, answers)) {
        return;
      }
      if (announce && DeliverySteps.step(step).announce()) {
        announce(id, target, answers, step);
      }
      schedule(id, state, step + 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** False when this run was superseded meanwhile. */
  private boolean tell(JourneyId id, long run, Map<String, PodAnswer> answers) {
    State before = states.get(id);
    State after =
        states.computeIfPresent(
            id,
            (key, state) ->
                state.run() == run
                    ? new State(state.target(), answers, state.started(), run)
                    : state);
    if (before == null || after == null || after.run() != run) {
      return false;
    }
    if (!answers.equals(before.answers())) {
      changed.accept(id);
    }
    return true;
  }

  private static boolean complete(Target target, Map<String, PodAnswer> answers) {
    return target.pods().stream()
        .allMatch(
            pod ->
                pod.ready()
                    && answers.get(pod.uid()) instanceof PodAnswer.Running running
                    && running.revision() == target.revision());
  }

  private void announce(JourneyId id, Target target, Map<String, PodAnswer> answers, int attempt) {
    for (PodFacts pod : target.pods()) {
      boolean mounts =
          pod.configMaps().isEmpty() || pod.configMaps().stream().anyMatch(target.maps()::contains);
      if (mounts && behind(pod, answers.get(pod.uid()), target.revision())) {
        try {
          writer.announce(id, pod, target.revision(), attempt);
        } catch (KubernetesClientException e) {
          // The mount is refreshed without it, only later.
          LOG.debug("{}: pod {} is not told of the plan: {}", id, pod.name(), e.getMessage());
        }
      }
    }
  }

  private static boolean behind(PodFacts pod, @Nullable PodAnswer answer, long revision) {
    return answer instanceof PodAnswer.Running running
        ? running.revision() != 0 && running.revision() != revision
        : !pod.announced().equals(Long.toString(revision)) && answer != null;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    states.clear();
  }
}
