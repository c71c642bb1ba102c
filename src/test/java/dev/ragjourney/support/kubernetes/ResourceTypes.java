package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.support.kubernetes.ResourceType.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds this server knows: Kubernetes' own that RagJourney touches, and every CRD applied. */
final class ResourceTypes {
  private final Map<String, ResourceType> types = new LinkedHashMap<>();

  ResourceTypes() {
    List.of(
            ResourceType.builtIn("", "v1", "Namespace", "namespaces", "ns"),
            ResourceType.builtIn("", "v1", "Pod", "pods", "po"),
            ResourceType.builtIn("", "v1", "ConfigMap", "configmaps", "cm"),
            ResourceType.builtIn("", "v1", "Secret", "secrets"),
            ResourceType.builtIn("", "v1", "Service", "services", "svc"),
            ResourceType.builtIn("", "v1", "ServiceAccount", "serviceaccounts", "sa"),
            ResourceType.builtIn("", "v1", "Event", "events", "ev"),
            ResourceType.builtIn("", "v1", "Endpoints", "endpoints", "ep"),
            ResourceType.builtIn("", "v1", "Node", "nodes", "no"),
            ResourceType.builtIn(
                "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc"),
            ResourceType.builtIn("apps", "v1", "Deployment", "deployments", "deploy"),
            ResourceType.builtIn("apps", "v1", "ReplicaSet", "replicasets", "rs"),
            ResourceType.builtIn("coordination.k8s.io", "v1", "Lease", "leases"),
            ResourceType.builtIn("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets"),
            ResourceType.builtIn("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"),
            ResourceType.builtIn(
                "autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa"),
            ResourceType.builtIn("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles"),
            ResourceType.builtIn(
                "rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings"),
            ResourceType.builtIn("rbac.authorization.k8s.io", "v1", "Role", "roles"),
            ResourceType.builtIn("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings"),
            ResourceType.builtIn(
                "apiextensions.k8s.io",
                "v1",
                "CustomResourceDefinition",
                "customresourcedefinitions",
                "crd"))
        .forEach(this::add);
  }

  private synchronized void add(ResourceType type) {
    types.put(type.apiVersion() + "/" + type.plural(), type);
  }

  /** Serves the kind that a CustomResourceDefinition describes from now on. */
  void define(JsonNode definition) {
    JsonNode spec = definition.path("spec");
    JsonNode names = spec.path("names");
    for (JsonNode version : spec.path("versions")) {
      if (!version.path("served").asBoolean()) {
        continue;
      }
      List<Column> columns = new ArrayList<>();
      for (JsonNode column : version.path("additionalPrinterColumns")) {
        columns.add(
            new Column(
                column.path("name").asText(),
                column.path("type").asText(),
                column.path("jsonPath").asText(),
                column.path("priority").asInt()));
      }
      add(
          new ResourceType(
              spec.path("group").asText(),
              version.path("name").asText(),
              names.path("kind").asText(),
              names.path("plural").asText(),
              texts(names.path("shortNames")),
              texts(names.path("categories")),
              spec.path("scope").asText().equals("Namespaced"),
              version.path("subresources").has("status"),
              columns.isEmpty() ? BuiltInColumns.of("") : columns));
    }
  }

  synchronized Optional<ResourceType> find(String apiVersion, String plural) {
    return Optional.ofNullable(types.get(apiVersion + "/" + plural));
  }

  synchronized List<ResourceType> all() {
    return List.copyOf(types.values());
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.asText()));
    return texts;
  }
}
