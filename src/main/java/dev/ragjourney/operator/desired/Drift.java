package dev.ragjourney.operator.desired;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.operator.observe.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether an object is as it was applied. Every applied object carries a digest of what was
 * applied: another digest means that something else is wanted now (fields may have been dropped);
 * the same digest with a declared field that differs means that somebody else changed it. Fields
 * that are not declared are anybody's.
 */
public final class Drift {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
  private static final Set<String> QUANTITIES = Set.of("limits", "requests");

  /** Fields by which elements of a list are told apart, the first that all of them have. */
  private static final List<String> KEYS =
      List.of("mountPath", "containerPort", "uid", "name", "port", "key");

  private Drift() {}

  /** What is to be done about an object. */
  public sealed interface Finding {
    /** Nothing. */
    record AsApplied() implements Finding {}

    /** It is absent, or something else is wanted than what was applied last. */
    record Outdated() implements Finding {}

    /**
     * Somebody changed a declared field.
     *
     * @param path of the first such field
     */
    record Changed(String path) implements Finding {}
  }

  /** Puts the digest of the object on it. */
  public static <T extends HasMetadata> T signed(T desired) {
    ObjectNode json = (ObjectNode) JSON.valueToTree(desired);
    ((ObjectNode) json.get("metadata")).remove("resourceVersion");
    Map<String, String> annotations =
        new HashMap<>(Objects.requireNonNullElse(desired.getMetadata().getAnnotations(), Map.of()));
    annotations.put(Labels.APPLIED, Digest.of(json.toString()));
    desired.getMetadata().setAnnotations(annotations);
    return desired;
  }

  /**
   * @param desired signed
   * @param live null when absent
   */
  public static Finding of(HasMetadata desired, @Nullable HasMetadata live) {
    if (live == null || !digest(desired).equals(digest(live))) {
      return new Finding.Outdated();
    }
    ObjectNode wanted = (ObjectNode) JSON.valueToTree(desired);
    ((ObjectNode) wanted.get("metadata")).remove("resourceVersion");
    return difference("", "", wanted, JSON.valueToTree(live))
        .<Finding>map(Finding.Changed::new)
        .orElseGet(Finding.AsApplied::new);
  }

  private static Optional<String> digest(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.APPLIED));
  }

  private static Optional<String> difference(
      String path, String parent, JsonNode wanted, @Nullable JsonNode live) {
    if (Digest.empty(wanted)) {
      return Optional.empty();
    }
    if (live == null || live.isNull()) {
      return Optional.of(path);
    }
    if (wanted.isObject()) {
      for (Map.Entry<String, JsonNode> field : wanted.properties()) {
        String name = field.getKey();
        Optional<String> found =
            difference(
                path.isEmpty() ? name : path + "." + name,
                QUANTITIES.contains(parent) ? parent : name,
                field.getValue(),
                live.get(name));
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    if (wanted.isArray()) {
      return listDifference(path, wanted, live);
    }
    boolean same =
        QUANTITIES.contains(parent)
            ? new Quantity(wanted.asText()).equals(new Quantity(live.asText()))
            : wanted.asText().equals(live.asText());
    return same ? Optional.empty() : Optional.of(path);
  }

  private static Optional<String> listDifference(String path, JsonNode wanted, JsonNode live) {
    Optional<String> key = KEYS.stream().filter(k -> everyHas(wanted, k)).findFirst();
    if (key.isEmpty() && wanted.size() != live.size()) {
      return Optional.of(path);
    }
    for (int i = 0; i < wanted.size(); i++) {
      JsonNode element = wanted.get(i);
      JsonNode counterpart =
          key.isEmpty() ? live.get(i) : counterpart(live, key.get(), element.get(key.get()));
      String place =
          key.map(k -> path + "[" + element.get(k).asText() + "]").orElse(path + "[" + i + "]");
      Optional<String> found = difference(place, "", element, counterpart);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean everyHas(JsonNode list, String key) {
    for (JsonNode element : list) {
      if (!element.hasNonNull(key)) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable JsonNode counterpart(JsonNode list, String key, JsonNode value) {
    for (JsonNode element : list) {
      if (element.path(key).asText().equals(value.asText())) {
        return element;
      }
    }
    return null;
  }
}
