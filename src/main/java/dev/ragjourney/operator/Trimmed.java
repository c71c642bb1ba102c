package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of a watched object is ever read: the rest is more than half of it. */
final class Trimmed {
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private Trimmed() {}

  /**
   * @param object is changed
   */
  static void trim(ObjectNode object) {
    if (object.get("metadata") instanceof ObjectNode metadata) {
      trimMetadata(metadata);
    }
    if (object.path("kind").asText().equals("Pod")) {
      trimPod(object);
    }
  }

  private static void trimMetadata(ObjectNode metadata) {
    if (metadata.get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(LAST_APPLIED);
    }
    if (metadata.get("managedFields") instanceof ArrayNode entries) {
      entries.forEach(Trimmed::keepReplicas);
      entries.removeIf(entry -> entry.path("fieldsV1").isEmpty());
      if (entries.isEmpty()) {
        metadata.remove("managedFields");
      }
    }
  }

  /** Whose the number of pods is must be known before it is handed over; nothing else is asked. */
  private static void keepReplicas(JsonNode entry) {
    if (entry.get("fieldsV1") instanceof ObjectNode fields) {
      boolean replicas = fields.path("f:spec").has("f:replicas");
      fields.removeAll();
      if (replicas) {
        fields.putObject("f:spec").putObject("f:replicas");
      }
    }
  }

  private static void trimPod(ObjectNode pod) {
    if (pod.get("spec") instanceof ObjectNode spec) {
      spec.retain("containers", "volumes");
      each(spec.get("containers"), List.of("name", "image", "ports"));
      each(spec.get("volumes"), List.of("name", "configMap"));
    }
    if (pod.get("status") instanceof ObjectNode status) {
      status.retain("phase", "podIP", "conditions", "containerStatuses");
      each(status.get("conditions"), List.of("type", "status"));
      each(status.get("containerStatuses"), List.of("name", "ready", "restartCount", "state"));
    }
  }

  private static void each(@Nullable JsonNode list, Collection<String> kept) {
    if (list instanceof ArrayNode) {
      list.forEach(
          element -> {
            if (element instanceof ObjectNode object) {
              object.retain(kept);
            }
          });
    }
  }
}
