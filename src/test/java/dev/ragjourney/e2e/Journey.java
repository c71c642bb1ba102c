package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.StageStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** One RagJourney on the cluster. */
record Journey(Cluster cluster, String namespace, String name) {
  static final String LABEL = "ragjourney.dev/journey";

  Resource<RagJourney> resource() {
    return cluster.client().resources(RagJourney.class).inNamespace(namespace).withName(name);
  }

  RagJourneyStatus status() {
    RagJourney journey = resource().get();
    assertThat(journey).as("%s", this).isNotNull();
    assertThat(journey.getStatus()).as("status of %s", this).isNotNull();
    return journey.getStatus();
  }

  Condition condition(String type) {
    List<Condition> conditions = Objects.requireNonNullElse(status().conditions(), List.of());
    return conditions.stream()
        .filter(each -> type.equals(each.type()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no condition " + type + " in " + conditions));
  }

  /** Waits for a condition; the message says what it was instead. */
  void awaitCondition(String type, String status, Duration atMost) {
    await(name + " has " + type + "=" + status)
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () ->
                assertThat(condition(type))
                    .satisfies(each -> assertThat(each.status()).isEqualTo(status)));
  }

  /** Waits until the operator has seen the newest spec. */
  void awaitObserved(Duration atMost) {
    await(name + " is observed")
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              RagJourney seen = resource().get();
              return seen.getStatus() != null
                  && seen.getMetadata()
                      .getGeneration()
                      .equals(seen.getStatus().observedGeneration());
            });
  }

  /**
   * Changes the resource as {@code kubectl patch --type=json} does.
   *
   * @return the generation that it has then
   */
  long patch(String json) {
    return resource().patch(PatchContext.of(PatchType.JSON), json).getMetadata().getGeneration();
  }

  /** {@code status.plan.summary}, such as {@code 2/3}. */
  String delivered() {
    PlanStatus plan = status().plan();
    return plan == null ? "none" : String.valueOf(plan.summary());
  }

  /** The cap in force. */
  Duration cap(String stage) {
    List<StageStatus> stages = Objects.requireNonNullElse(status().stages(), List.of());
    StageStatus found =
        stages.stream().filter(each -> stage.equals(each.name())).findFirst().orElseThrow();
    return Durations.parse(Objects.requireNonNull(found.cap(), stage));
  }

  List<Pod> pods() {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withLabel(LABEL, name)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  /** The pods' identities, and how often each was started. */
  List<String> starts() {
    return pods().stream()
        .map(
            pod ->
                pod.getMetadata().getUid()
                    + " started again "
                    + pod.getStatus().getContainerStatuses().getFirst().getRestartCount())
        .sorted()
        .toList();
  }

  /** Where each pod answers questions, without the Service between. */
  List<URI> podAddresses() {
    return pods().stream().map(pod -> address(pod, "http")).toList();
  }

  static URI address(Pod pod, String port) {
    int number =
        pod.getSpec().getContainers().stream()
            .flatMap(container -> container.getPorts().stream())
            .filter(each -> port.equals(each.getName()))
            .findFirst()
            .orElseThrow()
            .getContainerPort();
    return URI.create("http://" + pod.getStatus().getPodIP() + ":" + number);
  }

  /** The Service's address inside the cluster, which the node reaches as well. */
  URI service() {
    String address =
        cluster
            .client()
            .services()
            .inNamespace(namespace)
            .withName(name)
            .get()
            .getSpec()
            .getClusterIP();
    return URI.create("http://" + address);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
