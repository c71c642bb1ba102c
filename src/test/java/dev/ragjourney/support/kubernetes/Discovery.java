package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What groups, versions and kinds there are. */
final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private final ResourceTypes types;

  Discovery(ResourceTypes types) {
    this.types = types;
  }

  /** The answer, if the path asks for discovery. */
  Optional<ObjectNode> answer(String path) {
    return switch (path) {
      case "/version" ->
          Optional.of(
              object()
                  .put("major", "1")
                  .put("minor", "34")
                  .put("gitVersion", "v1.34.0-ragjourney.embedded")
                  .put("platform", "java"));
      case "/api" -> {
        ObjectNode versions = object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        yield Optional.of(versions);
      }
      case "/apis" -> Optional.of(groups());
      default -> resources(path);
    };
  }

  private ObjectNode groups() {
    TreeMap<String, String> versions = new TreeMap<>();
    types.all().stream()
        .filter(type -> !type.group().isEmpty())
        .forEach(type -> versions.put(type.group(), type.version()));
    ObjectNode list = object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    versions.forEach(
        (group, version) -> {
          ObjectNode entry = groups.addObject().put("name", group);
          ObjectNode one = object().put("groupVersion", group + "/" + version);
          one.put("version", version);
          entry.putArray("versions").add(one);
          entry.set("preferredVersion", one);
        });
    return list;
  }

  private Optional<ObjectNode> resources(String path) {
    String apiVersion =
        path.equals("/api/v1") ? "v1" : path.startsWith("/apis/") ? path.substring(6) : "";
    List<ResourceType> members =
        types.all().stream().filter(type -> type.apiVersion().equals(apiVersion)).toList();
    if (members.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode list = object().put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", apiVersion);
    ArrayNode resources = list.putArray("resources");
    for (ResourceType type : members) {
      ObjectNode entry = resources.addObject();
      entry.put("name", type.plural()).put("singularName", type.singular());
      entry.put("namespaced", type.namespaced()).put("kind", type.kind());
      VERBS.forEach(entry.putArray("verbs")::add);
      type.shortNames().forEach(entry.putArray("shortNames")::add);
      type.categories().forEach(entry.putArray("categories")::add);
      if (type.statusSubresource()) {
        ObjectNode status = resources.addObject();
        status.put("name", type.plural() + "/status").put("singularName", "");
        status.put("namespaced", type.namespaced()).put("kind", type.kind());
        status.putArray("verbs").add("get").add("patch").add("update");
      }
    }
    return Optional.of(list);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
