package dev.ragjourney.operator;

import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.LatencySource;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.Rebalancer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operator: watches journeys, keeps their objects and status, and moves their caps. */
public final class JourneyOperator implements AutoCloseable {
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  /** More at once make the API server slower, not the fleet faster: creations time out there. */
  private static final int AT_ONCE = 16;

  private static final int FIRST_RETRY_MILLIS = 500;
  private static final int LAST_RETRY_MILLIS = 60_000;

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final Operator operator;
  private final Rounds rounds;
  private final PlanDelivery delivery;
  private final PodAsker asker;
  private final OptionalKinds optional;
  private final Memory memory;
  private final RolloutWaves waves;
  private final ServedCrd served;
  private final @Nullable Leadership leadership;
  private volatile Runnable lostLease = () -> {};
  private volatile boolean closing;

  /**
   * @param client stays the caller's to close
   */
  public JourneyOperator(
      KubernetesClient client,
      LatencySource source,
      OperatorSettings settings,
      OperatorMetrics metrics,
      Clock clock) {
    this(client, source, Rebalancer::decide, settings, metrics, clock);
  }

  /**
   * @param rule what a round decides
   */
  JourneyOperator(
      KubernetesClient client,
      LatencySource source,
      Function<RebalanceInput, RebalanceDecision> rule,
      OperatorSettings settings,
      OperatorMetrics metrics,
      Clock clock) {
    this.client = client;
    namespaces = settings.namespaces();
    CompactStores stores =
        new CompactStores(client.getKubernetesSerialization(), settings.namespaces());
    RecentWrites recent = new RecentWrites(System::nanoTime);
    Watches watches = new Watches(stores, recent);
    PacedSignals paced = new PacedSignals(watches::signal, System::nanoTime);
    leadership =
        settings.leaseNamespace() == null
            ? null
            : new Leadership(client, settings.leaseNamespace());
    Writer writer =
        new Writer(client, metrics, leadership == null ? () -> {} : leadership::requireToLead);
    EventRecorder events = new EventRecorder(writer);
    Refusals refusals = new Refusals();
    StatusMemory statuses = new StatusMemory();
    DriftGuard guard = new DriftGuard();
    asker = new PodAsker();
    delivery = new PlanDelivery(asker, writer, settings.announcePlans(), watches::signal);
    rounds =
        new Rounds(
            source,
            rule,
            (id, decision) -> {
              if (decision instanceof RebalanceDecision.Move) {
                paced.offerFirst(id);
              } else {
                paced.offer(id);
              }
            },
            metrics,
            clock);
    optional =
        new OptionalKinds(
            client,
            settings.namespaces(),
            settings.lookForKinds(),
            watches::signal,
            () -> signalAll(watches, paced));
    WantedTemplates templates = new WantedTemplates(settings.image());
    waves =
        new RolloutWaves(
            settings.rollAtOnce(),
            () -> watches.standings(templates::of),
            watches::signal,
            metrics);
    served =
        new ServedCrd(client, settings.lookForKinds(), () -> signalAll(watches, paced), metrics);
    operator = new Operator(this::configure);
    memory =
        new Memory(
            watches::exists,
            List.of(
                rounds::forget,
                delivery::forget,
                events::forget,
                refusals::clear,
                statuses::forget,
                recent::forget,
                guard::forget,
                waves::forget,
                templates::forget,
                metrics::forget));
    operator.register(
        new RagJourneyReconciler(
            watches,
            memory,
            new ObservationGatherer(
                client,
                delivery,
                rounds,
                refusals,
                new ExtrasGatherer(client, optional),
                settings.image(),
                templates,
                waves,
                served::missing,
                clock),
            new Act(writer, guard, refusals, recent),
            writer,
            events,
            delivery,
            rounds,
            statuses,
            recent,
            paced,
            metrics),
        overrider -> configure(overrider, settings, stores, statuses));
  }

  private void configure(ConfigurationServiceOverrider overrider) {
    overrider
        .withKubernetesClient(client)
        .withCloseClientOnStop(false)
        .withConcurrentReconciliationThreads(AT_ONCE)
        .withReconciliationTerminationTimeout(STOP_WITHIN);
    if (leadership != null) {
      overrider.withLeaderElectionConfiguration(
          leadership.election(rounds::start, this::stoppedLeading));
    }
  }

  private static void configure(
      ControllerConfigurationOverrider<RawJourney> overrider,
      OperatorSettings settings,
      CompactStores stores,
      StatusMemory statuses) {
    overrider.withRetry(
        new GenericRetry()
            .setInitialInterval(FIRST_RETRY_MILLIS)
            .setMaxInterval(LAST_RETRY_MILLIS)
            .withoutMaxAttempts());
    overrider.withInformerListLimit(Watches.PAGE).withItemStore(stores.of(RawJourney.class));
    // A pause is an annotation, which does not raise the generation.
    overrider
        .withGenerationAware(false)
        .withOnUpdateFilter(
            (now, before) -> {
              statuses.told(now);
              return matters(now, before);
            });
    if (settings.namespaces().isEmpty()) {
      overrider.watchingAllNamespaces();
    } else {
      overrider.settingNamespaces(settings.namespaces());
    }
  }

  private static boolean matters(RawJourney now, RawJourney before) {
    return !Objects.equals(now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
        || RagJourney.paused(now.getMetadata().getAnnotations())
            != RagJourney.paused(before.getMetadata().getAnnotations());
  }

  /** A lease given back on close is none lost. */
  private void stoppedLeading() {
    rounds.close();
    if (!closing) {
      if (leadership != null) {
        leadership.lost();
      }
      lostLease.run();
    }
  }

  /**
   * Blocks until the API server answers and the first lists are there. With a lease, journeys are
   * reconciled while this one leads.
   *
   * @param lostLease called when another one leads from now on: this one must end
   */
  public void start(Runnable lostLease) {
    this.lostLease = lostLease;
    ApiServerAwait.ready(client, namespaces, () -> closing);
    if (leadership == null) {
      rounds.start();
    }
    memory.start();
    optional.start();
    waves.start();
    served.start();
    operator.start();
  }

  /** Makes a round for every journey now, whether it is due or not. */
  public void round() {
    rounds.runAll();
  }

  /** Whether the watches work, or are not there yet. */
  public boolean live() {
    return !started() || operator.getRuntimeInfo().allEventSourcesAreHealthy();
  }

  /** Before that, the first reconcile of each journey sees everything anyway. */
  private void signalAll(Watches watches, PacedSignals paced) {
    if (started()) {
      watches.all().forEach(paced::offer);
    }
  }

  public boolean started() {
    return operator.getRuntimeInfo().isStarted();
  }

  @Override
  public void close() {
    closing = true;
    memory.close();
    optional.close();
    waves.close();
    served.close();
    rounds.close();
    delivery.close();
    operator.stop();
    if (leadership != null) {
      leadership.release();
      leadership.close();
    }
    asker.close();
  }
}
