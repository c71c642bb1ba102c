package dev.ragjourney.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who declared which field, as the API server keeps it. */
final class FieldOwners {
  private FieldOwners() {}

  /** Whether a manager's last apply had the field. */
  static boolean owns(HasMetadata object, String manager, String... path) {
    List<ManagedFieldsEntry> entries =
        Objects.requireNonNullElse(object.getMetadata().getManagedFields(), List.of());
    return entries.stream()
        .filter(entry -> manager.equals(entry.getManager()))
        .filter(entry -> "Apply".equals(entry.getOperation()))
        .filter(entry -> entry.getFieldsV1() != null)
        .anyMatch(entry -> has(entry.getFieldsV1().getAdditionalProperties(), path));
  }

  private static boolean has(Map<String, Object> fields, String[] path) {
    @Nullable Object at = fields;
    for (String name : path) {
      at = at instanceof Map<?, ?> map ? map.get("f:" + name) : null;
    }
    return at != null;
  }
}
