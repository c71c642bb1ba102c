package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The verbs on objects, apart from watch. */
final class ApiHandler {
  private final ObjectStore store;
  private final ResourceTypes types;

  ApiHandler(ObjectStore store, ResourceTypes types) {
    this.store = store;
    this.types = types;
  }

  /**
   * @param contentType of the body
   * @param body an empty object for none
   */
  ObjectNode handle(ApiRequest request, String contentType, JsonNode body) {
    return switch (request.method()) {
      case "GET" -> request.name().isEmpty() ? list(request) : get(request);
      case "POST" -> create(request, (ObjectNode) body);
      case "PUT" -> replace(request, (ObjectNode) body);
      case "PATCH" -> patch(request, contentType, body);
      case "DELETE" -> request.name().isEmpty() ? deleteAll(request) : delete(request, body);
      default -> throw new ApiFailure(405, "MethodNotAllowed", request.method());
    };
  }

  private ObjectNode get(ApiRequest request) {
    ObjectNode found = store.find(request.key());
    if (found == null) {
      throw ApiFailure.notFound(request.type(), request.name());
    }
    return found;
  }

  ObjectNode list(ApiRequest request) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("kind", request.type().kind() + "List");
    list.put("apiVersion", request.type().apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(store.version()));
    ArrayNode items = list.putArray("items");
    Predicate<JsonNode> wanted = selected(request);
    store.list(request.type(), request.namespace()).stream().filter(wanted).forEach(items::add);
    return list;
  }

  static Predicate<JsonNode> selected(ApiRequest request) {
    return Selectors.labels(request.parameter("labelSelector"))
        .and(Selectors.fields(request.parameter("fieldSelector")));
  }

  private ObjectNode create(ApiRequest request, ObjectNode body) {
    String name = body.path("metadata").path("name").asText();
    if (name.isEmpty()) {
      name =
          body.path("metadata").path("generateName").asText()
              + UUID.randomUUID().toString().substring(0, 5);
    }
    ObjectKey key = request.key(name);
    return defined(
        key,
        store.write(
            key,
            (current, owners) -> {
              if (current != null) {
                throw new ApiFailure(
                    409,
                    "AlreadyExists",
                    key.type().plural() + " \"" + key.name() + "\" already exists");
              }
              ObjectNode created = body.deepCopy();
              created.withObject("/metadata").remove("resourceVersion");
              return withoutForeignStatus(key, created, null);
            }));
  }

  private ObjectNode replace(ApiRequest request, ObjectNode body) {
    return update(request, current -> body.deepCopy());
  }

  private ObjectNode patch(ApiRequest request, String contentType, JsonNode body) {
    if (contentType.contains("apply-patch")) {
      return apply(request, (ObjectNode) body);
    }
    return update(
        request,
        current -> {
          JsonNode patched =
              contentType.contains("strategic-merge-patch")
                  ? Patches.mergeByKeys(current, body, "")
                  : contentType.contains("json-patch")
                      ? Patches.json(current, body)
                      : Patches.merge(current, body);
          // A patch is a change of the latest version, unless it names one itself.
          if (!body.path("metadata").has("resourceVersion") && !body.isArray()) {
            ((ObjectNode) patched).withObject("/metadata").remove("resourceVersion");
          }
          return (ObjectNode) patched;
        });
  }

  private interface Edit {
    ObjectNode of(ObjectNode current);
  }

  private ObjectNode update(ApiRequest request, Edit edit) {
    ObjectKey key = request.key();
    return defined(
        key,
        store.write(
            key,
            (current, owners) -> {
              if (current == null) {
                throw ApiFailure.notFound(key.type(), key.name());
              }
              ObjectNode edited = onlyPart(request, current, edit.of(current));
              if (edited.path("metadata").path("resourceVersion").asText().isEmpty()) {
                edited.withObject("/metadata").remove("resourceVersion");
              }
              owners.changedByUpdate(current, edited);
              return edited;
            }));
  }

  private ObjectNode apply(ApiRequest request, ObjectNode config) {
    String manager = request.parameter("fieldManager");
    if (manager.isEmpty()) {
      throw ApiFailure.badRequest("fieldManager is required for apply patch");
    }
    if (config.path("metadata").has("managedFields")) {
      throw ApiFailure.badRequest("metadata.managedFields must be nil");
    }
    boolean force = request.parameter("force").equals("true");
    ObjectKey key = request.key();
    return defined(
        key,
        store.write(
            key,
            (current, owners) -> {
              if (current == null && !request.subresource().isEmpty()) {
                throw ApiFailure.notFound(key.type(), key.name());
              }
              requireUid(config, current);
              ObjectNode own = config.deepCopy();
              ObjectNode metadata = own.withObject("/metadata");
              JsonNode version = metadata.remove("resourceVersion");
              ObjectNode live = current == null ? JsonNodeFactory.instance.objectNode() : current;
              // A whole object's apply does not touch what the subresource owns, and the other way.
              if (key.type().statusSubresource()) {
                own.remove(request.subresource().equals("status") ? "spec" : "status");
              }
              ObjectNode applied = onlyPart(request, live, owners.apply(live, own, manager, force));
              applied.withObject("/metadata").remove("resourceVersion");
              if (version != null && !version.asText().isEmpty()) {
                applied.withObject("/metadata").set("resourceVersion", version);
              }
              return applied;
            }));
  }

  /**
   * What the request may change: status alone through {@code /status}, all but status otherwise.
   */
  private static ObjectNode onlyPart(ApiRequest request, ObjectNode current, ObjectNode edited) {
    if (!request.type().statusSubresource()) {
      return edited;
    }
    if (!request.subresource().equals("status")) {
      return withoutForeignStatus(request.key(), edited, current.get("status"));
    }
    ObjectNode result = current.deepCopy();
    JsonNode version = edited.path("metadata").path("resourceVersion");
    result.withObject("/metadata").put("resourceVersion", version.asText());
    if (edited.has("status")) {
      result.set("status", edited.get("status"));
    } else {
      result.remove("status");
    }
    return result;
  }

  /** An apply that names a uid means that very object, and never makes another one. */
  private static void requireUid(ObjectNode config, @Nullable ObjectNode current) {
    String uid = config.path("metadata").path("uid").asText();
    String present = current == null ? "" : current.path("metadata").path("uid").asText();
    if (!uid.isEmpty() && !uid.equals(present)) {
      throw ApiFailure.conflict("uid mismatch: the provided object has uid " + uid);
    }
  }

  private static ObjectNode withoutForeignStatus(
      ObjectKey key, ObjectNode object, @Nullable JsonNode status) {
    if (key.type().statusSubresource()) {
      object.remove("status");
      if (status != null) {
        object.set("status", status);
      }
    }
    return object;
  }

  private ObjectNode delete(ApiRequest request, JsonNode options) {
    JsonNode expected = options.path("preconditions").path("resourceVersion");
    JsonNode present = get(request).path("metadata").path("resourceVersion");
    if (expected.isTextual() && !expected.equals(present)) {
      throw ApiFailure.conflict("the object has another resourceVersion");
    }
    return store.delete(request.key());
  }

  private ObjectNode deleteAll(ApiRequest request) {
    ObjectNode list = list(request);
    for (JsonNode item : list.get("items")) {
      JsonNode metadata = item.path("metadata");
      store.delete(
          new ObjectKey(
              request.type(), metadata.path("namespace").asText(), metadata.path("name").asText()));
    }
    return list;
  }

  /** A definition is served from the moment it is stored. */
  private ObjectNode defined(ObjectKey key, ObjectNode stored) {
    if (!key.type().kind().equals("CustomResourceDefinition")) {
      return stored;
    }
    types.define(stored);
    if (stored.path("status").has("conditions")) {
      return stored;
    }
    return store.write(
        key,
        (current, owners) -> {
          ObjectNode established = Objects.requireNonNull(current);
          ArrayNode conditions = established.withObject("/status").putArray("conditions");
          for (String type : new String[] {"NamesAccepted", "Established"}) {
            conditions.addObject().put("type", type).put("status", "True").put("reason", type);
          }
          return established;
        });
  }
}
