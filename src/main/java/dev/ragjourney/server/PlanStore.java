package dev.ragjourney.server;

import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.telemetry.PrometheusListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The plan in force. A new one is built whole beside it, waits until its backends can work, is
 * warmed up, and takes its place by one reference; whatever goes wrong, the last good one stays.
 */
public final class PlanStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanStore.class);

  /** A warm-up that takes longer than this is left alone. */
  private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(60);

  /**
   * What there is to tell.
   *
   * @param plan in force; null before the first
   * @param loadedAt when it came into force; null before the first
   * @param lastError why the newest document is not in force; null if it is
   * @param waitingFor what a plan that is to come into force is waiting for
   */
  public record Status(
      @Nullable Plan plan,
      @Nullable Instant loadedAt,
      @Nullable String lastError,
      List<String> waitingFor) {}

  private record InForce(LoadedPlan loaded, Instant since) {}

  private final BackendPool pool;
  private final AnswerCaches caches = new AnswerCaches();
  private final PrometheusListener metrics;
  private final InstantSource clock;
  private volatile @Nullable InForce inForce;
  private volatile @Nullable LoadedPlan pending;
  private volatile @Nullable String lastError;
  private @Nullable LoadedPlan loggedWait;

  /** Contents that differed from those in force when they were looked at last. */
  private List<String> differing = List.of();

  public PlanStore(BackendFactory factory, PrometheusListener metrics, InstantSource clock) {
    this.pool = new BackendPool(factory);
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Takes a document that was read; what it was before does not matter. */
  public synchronized void load(byte[] document) {
    LoadedPlan opened;
    try {
      opened = LoadedPlan.open(PlanCodec.read(document), pool, caches);
    } catch (InvalidPlanException | IllegalArgumentException e) {
      metrics.planRefused();
      failed(e.getMessage());
      return;
    }
    dropPending();
    pending = opened;
    advance();
  }

  /**
   * Looks whether what backends read when they opened is another by now. If so, and if it stayed
   * the same between two looks so that nobody is just writing it, the same plan is built anew
   * beside the one in force, with backends that read it again.
   */
  public synchronized void refresh() {
    InForce now = inForce;
    LoadedPlan newest = pending != null ? pending : now == null ? null : now.loaded;
    if (newest == null) {
      return;
    }
    List<String> contents = newest.contentsNow();
    if (contents.equals(newest.contents())) {
      differing = List.of();
      return;
    }
    if (!contents.equals(differing)) {
      differing = contents;
      return;
    }
    differing = List.of();
    about(LOG.atInfo(), newest.plan())
        .log("The documents changed; they are read again while the former ones serve");
    LoadedPlan opened = LoadedPlan.open(newest.plan(), pool, caches);
    dropPending();
    pending = opened;
  }

  /** There is no document to read. */
  public synchronized void failed(@Nullable String problem) {
    String error = problem == null ? "the plan cannot be read" : problem;
    if (!error.equals(lastError)) {
      LOG.warn("The plan is not loaded: {}", error);
    }
    lastError = error;
  }

  /** Brings a waiting plan into force if nothing is missing any more; to be called now and then. */
  public synchronized void advance() {
    LoadedPlan next = pending;
    if (next == null) {
      return;
    }
    List<String> missing = next.missing();
    if (!missing.isEmpty()) {
      waits(next, missing);
      return;
    }
    next.takeCold().forEach((use, backend) -> warmUp(use.plan().name(), backend));
    metrics.planLoaded(next.plan());
    InForce before = inForce;
    inForce = new InForce(next, clock.instant());
    pending = null;
    lastError = null;
    about(LOG.atInfo(), next.plan()).log("The plan is in force");
    if (before != null) {
      before.loaded.retire();
    }
  }

  private static LoggingEventBuilder about(LoggingEventBuilder line, Plan plan) {
    return line.addKeyValue("namespace", plan.namespace())
        .addKeyValue("journey", plan.journey())
        .addKeyValue("revision", plan.revision());
  }

  /** Progress changes every moment: it is told to whoever asks, and logged once. */
  private void waits(LoadedPlan next, List<String> missing) {
    String error = "revision %d waits: %s".formatted(next.plan().revision(), missing);
    if (loggedWait != next) {
      about(LOG.atInfo(), next.plan()).log("{}", error);
      loggedWait = next;
    }
    lastError = error;
  }

  /**
   * The plan in force, entered: the caller must {@link LoadedPlan#leave} it. Null before the first.
   */
  @Nullable LoadedPlan enter() {
    while (true) {
      InForce now = inForce;
      if (now == null) {
        return null;
      }
      if (now.loaded.enter()) {
        return now.loaded;
      }
    }
  }

  public Status status() {
    InForce now = inForce;
    LoadedPlan next = pending;
    return new Status(
        now == null ? null : now.loaded.plan(),
        now == null ? null : now.since,
        lastError,
        next == null ? List.of() : next.missing());
  }

  int openBackends() {
    return pool.size();
  }

  /** A backend that is slow or fails to warm up still serves: its stage has a cap. */
  private static void warmUp(String name, Backend backend) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("warm-up-" + name)
            .start(
                () -> {
                  try {
                    backend.warmUp();
                  } catch (InterruptedException e) {
                    LOG.warn("Backend {} did not warm up in time", name);
                  } catch (Exception e) {
                    LOG.warn("Backend {} did not warm up: {}", name, e.toString());
                  }
                });
    try {
      if (!thread.join(WARM_UP_LIMIT)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void dropPending() {
    LoadedPlan dropped = pending;
    pending = null;
    if (dropped != null) {
      dropped.retire();
    }
  }

  /** Lets go of all backends; those of journeys in flight close when the journeys end. */
  @Override
  public synchronized void close() {
    dropPending();
    InForce now = inForce;
    inForce = null;
    if (now != null) {
      now.loaded.retire();
    }
  }
}
