package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which manager applied which fields of one object, and server-side apply by it: fields that a
 * manager no longer applies and nobody else does disappear; another manager's fields are a conflict
 * unless forced.
 */
final class FieldOwners {
  private final Map<String, Set<FieldPath>> owned = new LinkedHashMap<>();

  /** The object after {@code manager} applied {@code config}; ownership follows. */
  ObjectNode apply(ObjectNode live, ObjectNode config, String manager, boolean force) {
    Map<FieldPath, JsonNode> wanted = FieldPath.leaves(config);
    Map<FieldPath, JsonNode> present = FieldPath.leaves(live);
    owned.forEach(
        (other, theirs) -> {
          if (other.equals(manager)) {
            return;
          }
          for (FieldPath path : wanted.keySet()) {
            if (theirs.contains(path) && !wanted.get(path).equals(present.get(path))) {
              if (!force) {
                throw ApiFailure.conflict(
                    "Apply failed with 1 conflict: conflict with \"" + other + "\": " + path);
              }
              theirs.remove(path);
            }
          }
        });
    ObjectNode merged = (ObjectNode) Patches.mergeByKeys(live, config, "");
    // The key of an element goes last: without it the element's other fields are not found.
    for (FieldPath gone :
        owned.getOrDefault(manager, Set.of()).stream()
            .sorted(Comparator.comparing(FieldPath::isKey))
            .toList()) {
      boolean othersWantIt =
          owned.entrySet().stream()
              .anyMatch(e -> !e.getKey().equals(manager) && e.getValue().contains(gone));
      boolean deeperNow = wanted.keySet().stream().anyMatch(gone::isPrefixOf);
      if (!deeperNow && !othersWantIt) {
        gone.removeFrom(merged);
      }
    }
    owned.put(manager, new HashSet<>(wanted.keySet()));
    return merged;
  }

  /** A write that was no apply takes the fields it changed away from the managers that had them. */
  void changedByUpdate(ObjectNode before, ObjectNode after) {
    Map<FieldPath, JsonNode> old = FieldPath.leaves(before);
    Map<FieldPath, JsonNode> now = FieldPath.leaves(after);
    owned
        .values()
        .forEach(
            paths ->
                paths.removeIf(
                    path ->
                        now.containsKey(path)
                            && old.containsKey(path)
                            && !now.get(path).equals(old.get(path))));
  }

  /** The managers for {@code metadata.managedFields}. */
  ArrayNode managedFields(String apiVersion) {
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    owned.forEach(
        (manager, paths) -> {
          ObjectNode fields =
              entries
                  .addObject()
                  .put("manager", manager)
                  .put("operation", "Apply")
                  .put("apiVersion", apiVersion)
                  .put("fieldsType", "FieldsV1")
                  .putObject("fieldsV1");
          paths.forEach(path -> path.addTo(fields));
        });
    return entries;
  }
}
