package dev.ragjourney.support.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/**
 * Plays the kubelet where there is no node: every pod of a namespace is ready as soon as it is
 * there, so that rollouts end. Nothing answers at the pods' address.
 */
public final class ReadyPods implements AutoCloseable, ResourceEventHandler<Pod> {
  private final KubernetesClient client;
  private final SharedIndexInformer<Pod> informer;

  public ReadyPods(KubernetesClient client, String namespace) {
    this.client = client;
    informer = client.pods().inNamespace(namespace).inform(this);
  }

  @Override
  public void onAdd(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null
        || "Running".equals(pod.getStatus().getPhase())) {
      return;
    }
    try {
      client
          .resource(
              new PodBuilder(pod)
                  .editMetadata()
                  .withResourceVersion(null)
                  .endMetadata()
                  .withNewStatus()
                  .withPhase("Running")
                  .withPodIP("127.0.0.1")
                  .addNewPodIP("127.0.0.1")
                  .addNewCondition()
                  .withType("Ready")
                  .withStatus("True")
                  .endCondition()
                  .endStatus()
                  .build())
          .patchStatus();
    } catch (KubernetesClientException e) {
      System.err.println("not made ready: " + pod.getMetadata().getName() + ": " + e.getMessage());
    }
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    onAdd(pod);
  }

  @Override
  public void onDelete(Pod pod, boolean unknownFinalState) {}

  @Override
  public void close() {
    informer.close();
  }
}
