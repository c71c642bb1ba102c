package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A namespace with some journeys that nobody runs: there are no nodes. */
record Shop(Cluster cluster, String namespace, int journeys) {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String JOURNEY =
      """
      ---
      apiVersion: ragjourney.dev/v1alpha1
      kind: RagJourney
      metadata: {name: %s, namespace: %s}
      spec:
        budget: {total: 3s}
        documents: {configMap: {name: d}}
        workload: {replicas: 1}
        rebalance: %s
      """;

  static Shop open(Cluster cluster, String namespace, int journeys) throws IOException {
    return open(cluster, namespace, journeys, "{}");
  }

  /**
   * @param rebalance section of every spec
   */
  static Shop open(Cluster cluster, String namespace, int journeys, String rebalance)
      throws IOException {
    Shop shop = new Shop(cluster, namespace, journeys);
    cluster.namespace(namespace);
    StringBuilder manifests = new StringBuilder();
    for (String name : shop.names()) {
      manifests.append(JOURNEY.formatted(name, namespace, rebalance));
    }
    Path file = Files.createTempFile(namespace, ".yaml");
    Files.writeString(file, manifests);
    cluster.kubectl("apply", "--server-side", "--filename", file.toString());
    Files.delete(file);
    return shop;
  }

  List<String> names() {
    return IntStream.range(0, journeys).mapToObj(i -> "faq-" + i).toList();
  }

  Journey journey(String name) {
    return new Journey(cluster, namespace, name);
  }

  /** Changes the budget, as soon as the API server takes it. Returns when it did. */
  Instant change(String name, String total) {
    await("the API server takes a change of " + name)
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              try {
                journey(name)
                    .resource()
                    .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"budget\": {\"total\": \"%s\"}}}".formatted(total));
                return true;
              } catch (KubernetesClientException e) {
                boolean away = e.getCode() <= 0 || e.getCode() >= 500;
                assertThat(away).as("%s", e).isTrue();
                return false;
              }
            });
    return Instant.now();
  }

  /** Waits until the journey's objects have the budget and its status tells so. */
  void awaitBudget(String name, String total, Duration atMost) {
    await(name + " has a budget of " + total)
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              RagJourney journey = journey(name).resource().get();
              RagJourneyStatus status = journey.getStatus();
              assertThat(status).isNotNull();
              assertThat(status.observedGeneration())
                  .isEqualTo(journey.getMetadata().getGeneration());
              assertThat(planned(name)).contains("\"total\": \"" + total + "\"");
            });
  }

  /** The lines of the journey's plans that say what its whole budget is. */
  private String planned(String name) {
    return cluster
        .client()
        .configMaps()
        .inNamespace(namespace)
        .withLabel(Journey.LABEL, name)
        .list()
        .getItems()
        .stream()
        .flatMap(plan -> plan.getData().values().stream())
        .flatMap(String::lines)
        .filter(line -> line.contains("\"total\""))
        .collect(Collectors.joining());
  }

  /** Waits until every journey is observed and all have a Deployment with its pod. */
  void awaitAll() {
    await("all journeys of " + namespace)
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              assertThat(
                      cluster
                          .client()
                          .resources(RagJourney.class)
                          .inNamespace(namespace)
                          .list()
                          .getItems())
                  .hasSize(journeys)
                  .allSatisfy(
                      journey ->
                          assertThat(journey.getStatus())
                              .isNotNull()
                              .extracting(RagJourneyStatus::observedGeneration)
                              .isEqualTo(journey.getMetadata().getGeneration()));
              assertThat(cluster.client().pods().inNamespace(namespace).list().getItems())
                  .hasSize(journeys);
            });
  }
}
