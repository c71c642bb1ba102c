package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.operator.observe.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a journey has on the API server, so that two states can be compared. */
final class LiveObjects {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Differ from one install to the next though nothing is different. */
  private static final List<String> OWN_TO_THE_MOMENT =
      List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation");

  private LiveObjects() {}

  /** Every object that carries the operator's label, by kind and name; no pods. */
  static List<HasMetadata> of(KubernetesClient client, String namespace) {
    return Stream.of(
            client.configMaps(),
            client.services(),
            client.serviceAccounts(),
            client.apps().deployments(),
            client.policy().v1().podDisruptionBudget(),
            client.autoscaling().v2().horizontalPodAutoscalers(),
            client.network().v1().networkPolicies())
        .flatMap(
            kind ->
                kind
                    .inNamespace(namespace)
                    .withLabelSelector(Labels.OWNED_SELECTOR)
                    .list()
                    .getItems()
                    .stream())
        .map(HasMetadata.class::cast)
        .toList();
  }

  /** Their contents by kind and name, without what is own to the moment. */
  static Map<String, JsonNode> contents(List<HasMetadata> objects) {
    Map<String, JsonNode> contents = new TreeMap<>();
    for (HasMetadata object : objects) {
      ObjectNode json = JSON.valueToTree(object);
      json.remove("status");
      ObjectNode metadata = json.withObject("/metadata");
      metadata.remove(OWN_TO_THE_MOMENT);
      metadata.path("ownerReferences").forEach(owner -> ((ObjectNode) owner).remove("uid"));
      if (metadata.get("annotations") instanceof ObjectNode annotations) {
        // The digest covers the owner's uid; when a stage came is when it came.
        annotations.remove(List.of(Labels.APPLIED, Labels.STAGES_CHANGED));
      }
      contents.put(object.getKind() + " " + object.getMetadata().getName(), json);
    }
    return contents;
  }
}
