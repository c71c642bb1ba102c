package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;

/** The one place that writes to the API server. */
final class Writer {
  static final String MANAGER = "ragjourney-operator";
  static final String STATUS_MANAGER = "ragjourney-operator-status";
  static final String HANDOVER_MANAGER = "ragjourney-handover";
  static final String ANNOUNCE_MANAGER = "ragjourney-operator-announce";

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final KubernetesClient client;
  private final OperatorMetrics metrics;
  private final Runnable fence;

  /**
   * @param fence throws where this operator may not write any more
   */
  Writer(KubernetesClient client, OperatorMetrics metrics, Runnable fence) {
    this.client = client;
    this.metrics = metrics;
    this.fence = fence;
  }

  /** Server-side apply, forced on the declared fields; a resource version in it is a condition. */
  HasMetadata apply(HasMetadata desired) {
    return counted(
        desired.getKind(), () -> client.resource(desired).patch(serverSideApply(MANAGER)));
  }

  /**
   * What an apply cannot put right.
   *
   * @param patch JSON patch of the live object
   */
  void putBack(HasMetadata live, String patch) {
    PatchContext context =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON)
            .withFieldManager(HANDOVER_MANAGER)
            .build();
    counted(live.getKind(), () -> client.resource(live).patch(context, patch));
  }

  /** Deletes the very version that was read. */
  void prune(HasMetadata object) {
    counted(
        object.getKind(),
        () ->
            client
                .resource(object)
                .lockResourceVersion(object.getMetadata().getResourceVersion())
                .delete());
  }

  /**
   * Keeps the number of pods where it is while its owner changes: a field that its only owner
   * leaves out falls back to its default, one pod.
   */
  void handOverReplicas(Deployment live) {
    Deployment replicas =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName(live.getMetadata().getName())
            .withNamespace(live.getMetadata().getNamespace())
            .withUid(live.getMetadata().getUid())
            .endMetadata()
            .withNewSpec()
            .withReplicas(live.getSpec().getReplicas())
            .endSpec()
            .build();
    counted("Deployment", () -> client.resource(replicas).patch(serverSideApply(HANDOVER_MANAGER)));
  }

  /** The resource as it is with the new status, whatever else was written to it meanwhile. */
  RawJourney status(RawJourney raw, RagJourneyStatus status) {
    RawJourney patch = new RawJourney();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(raw.getMetadata().getName())
            .withNamespace(raw.getMetadata().getNamespace())
            .build());
    patch.setStatus(json(status));
    return counted(
        "RagJourney/status",
        () -> client.resource(patch).subresource("status").patch(serverSideApply(STATUS_MANAGER)));
  }

  /** Sets the annotation whose change makes the kubelet refresh the pod's mounts at once. */
  void announce(JourneyId id, PodFacts pod, long revision, int attempt) {
    Pod patch =
        new PodBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(id.namespace())
            .withUid(pod.uid())
            .withAnnotations(
                Map.of(
                    Labels.PLAN_REVISION,
                    Long.toString(revision),
                    Labels.PLAN_ANNOUNCED,
                    revision + "." + attempt))
            .endMetadata()
            .build();
    patch.setSpec(null);
    counted("Pod", () -> client.resource(patch).patch(serverSideApply(ANNOUNCE_MANAGER)));
  }

  void event(Event event) {
    counted("Event", () -> client.resource(event).patch(serverSideApply(MANAGER)));
  }

  /** As a reader of the stored object sees it: numbers take their narrowest type. */
  static JsonNode json(RagJourneyStatus status) {
    try {
      return JSON.readTree(JSON.writeValueAsBytes(status));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PatchContext serverSideApply(String manager) {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(manager)
        .withForce(true)
        .build();
  }

  private <T> T counted(String kind, Supplier<T> write) {
    try {
      fence.run();
      T result = write.get();
      metrics.write(kind, true);
      return result;
    } catch (KubernetesClientException e) {
      metrics.write(kind, false);
      throw e;
    }
  }
}
