package dev.ragjourney.support.kubernetes;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request taken apart.
 *
 * @param name empty for a collection
 * @param subresource empty, or like {@code status}
 */
record ApiRequest(
    String method,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    Map<String, String> query) {

  /** Empty when the path names no known kind. */
  static Optional<ApiRequest> parse(String method, URI uri, ResourceTypes types) {
    List<String> parts = List.of(uri.getPath().substring(1).split("/"));
    int at;
    String apiVersion;
    if (parts.getFirst().equals("api") && parts.size() > 2) {
      apiVersion = parts.get(1);
      at = 2;
    } else if (parts.getFirst().equals("apis") && parts.size() > 3) {
      apiVersion = parts.get(1) + "/" + parts.get(2);
      at = 3;
    } else {
      return Optional.empty();
    }
    String namespace = "";
    if (parts.get(at).equals("namespaces") && parts.size() > at + 2) {
      namespace = parts.get(at + 1);
      at += 2;
    }
    String name = parts.size() > at + 1 ? parts.get(at + 1) : "";
    String subresource = parts.size() > at + 2 ? parts.get(at + 2) : "";
    String space = namespace;
    return types
        .find(apiVersion, parts.get(at))
        .map(
            type ->
                new ApiRequest(method, type, space, name, subresource, query(uri.getRawQuery())));
  }

  ObjectKey key() {
    return key(name);
  }

  ObjectKey key(String named) {
    return new ObjectKey(type, namespace, named);
  }

  String parameter(String parameter) {
    return query.getOrDefault(parameter, "");
  }

  boolean watch() {
    return parameter("watch").equals("true") || parameter("watch").equals("1");
  }

  private static Map<String, String> query(@org.jspecify.annotations.Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        String[] sides = pair.split("=", 2);
        query.put(sides[0], sides.length == 1 ? "" : decoded(sides[1]));
      }
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
