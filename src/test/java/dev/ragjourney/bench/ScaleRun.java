package dev.ragjourney.bench;

import static org.awaitility.Awaitility.await;

import dev.ragjourney.operator.ApiConnection;
import dev.ragjourney.operator.JourneyOperator;
import dev.ragjourney.operator.OperatorMetrics;
import dev.ragjourney.operator.OperatorSettings;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.LatencyReading;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.prometheus.client.CollectorRegistry;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Many journeys on a real API server that nobody runs, and the operator in this process. */
final class ScaleRun implements AutoCloseable {
  private static final int WRITERS = 8;
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final String SPEC =
      "{\"budget\": {\"total\": \"3s\"}, \"documents\": {\"configMap\": {\"name\": \"d\"}}}";

  private final String namespace;
  private final Config config;
  private final KubernetesClient client;
  private final CountedCalls calls = new CountedCalls();
  private @Nullable KubernetesClient operatorClient;
  private @Nullable JourneyOperator operator;
  private CollectorRegistry registry = new CollectorRegistry();

  ScaleRun(Path kubeconfig, String namespace) throws IOException {
    this.namespace = namespace;
    config = Config.fromKubeconfig(kubeconfig.toFile());
    client = new KubernetesClientBuilder().withConfig(config).build();
    for (File definition : Path.of("crds").toFile().listFiles()) {
      try (var file = Files.newInputStream(definition.toPath())) {
        client.load(file).forceConflicts().serverSideApply();
      }
    }
    await("the API server serves journeys").atMost(Duration.ofSeconds(30)).until(this::served);
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .serverSideApply();
  }

  private boolean served() {
    return client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("ragjourneys.ragjourney.dev")
        .get()
        .getStatus()
        .getConditions()
        .stream()
        .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
  }

  CountedCalls calls() {
    return calls;
  }

  /** Creates the journeys from one number to another. */
  void create(int from, int to) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> created = new ArrayList<>();
      for (int i = from; i < to; i++) {
        String name = "journey-" + i;
        created.add(threads.submit(() -> create(name)));
      }
      for (Future<?> each : created) {
        each.get();
      }
    }
  }

  private void create(String name) {
    RawJourney journey = new RawJourney();
    journey.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
    journey.setSpec(
        io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
            SPEC, com.fasterxml.jackson.databind.JsonNode.class));
    client.resource(journey).create();
  }

  /** Returns when the first lists are there. */
  void startOperator() {
    registry = new CollectorRegistry();
    KubernetesClient fresh =
        new KubernetesClientBuilder()
            .withConfig(ApiConnection.bounded(config))
            .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("calls", calls))
            .build();
    operatorClient = fresh;
    JourneyOperator started =
        new JourneyOperator(
            fresh,
            (now, window, interval, journeys) -> new LatencyReading.Measured(Map.of()),
            new OperatorSettings(
                "ragjourney:local", 5, Set.of(namespace), true, Duration.ofMinutes(1), null),
            new OperatorMetrics(registry),
            Clock.systemUTC());
    operator = started;
    started.start(() -> {});
  }

  void stopOperator() {
    if (operator != null) {
      operator.close();
      operatorClient.close();
      operator = null;
    }
  }

  void round() {
    operator.round();
  }

  /** Every journey has its Deployment and a status. */
  void awaitWritten(long number) {
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () ->
                calls.of("patch deployments") >= number
                    && calls.of("patch ragjourneys/status") >= number);
  }

  double reconciles() {
    Double done =
        registry.getSampleValue(
            "ragjourney_operator_reconciles_total", new String[] {"result"}, new String[] {"done"});
    return done == null ? 0 : done;
  }

  void awaitReconciles(double number) {
    await().atMost(LONG).pollInterval(Duration.ofMillis(50)).until(() -> reconciles() >= number);
  }

  /** No reconcile for so long. */
  void awaitRest(Duration still) {
    double[] last = {-1};
    long[] since = {System.nanoTime()};
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              double now = reconciles();
              if (now != last[0]) {
                last[0] = now;
                since[0] = System.nanoTime();
              }
              return System.nanoTime() - since[0] > still.toNanos();
            });
  }

  /** Milliseconds from a journey's creation to its Deployment, sorted. */
  double[] newOnes(int from, int number, Duration pace) throws InterruptedException {
    Map<String, Long> created = new ConcurrentHashMap<>();
    Map<String, Long> there = new ConcurrentHashMap<>();
    Watcher<Deployment> arrivals =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, Deployment deployment) {
            there.putIfAbsent(deployment.getMetadata().getName(), System.nanoTime());
          }

          @Override
          public void onClose(WatcherException cause) {}
        };
    try (Watch _ =
        client
            .apps()
            .deployments()
            .inNamespace(namespace)
            .withLabelSelector(Labels.OWNED_SELECTOR)
            .watch(arrivals)) {
      for (int i = from; i < from + number; i++) {
        String name = "journey-" + i;
        created.put(name, System.nanoTime());
        create(name);
        Thread.sleep(pace); // the behaviour under test
      }
      await().atMost(LONG).until(() -> there.keySet().containsAll(created.keySet()));
    }
    return created.entrySet().stream()
        .mapToDouble(entry -> (there.get(entry.getKey()) - entry.getValue()) / 1e6)
        .sorted()
        .toArray();
  }

  long deployments() {
    return client.apps().deployments().inNamespace(namespace).list().getItems().size();
  }

  /** What is held after a collection. */
  static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() {
    stopOperator();
    client.namespaces().withName(namespace).delete();
    client.close();
  }
}
