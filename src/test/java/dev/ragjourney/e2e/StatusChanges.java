package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What changes in the statuses of a shop's journeys from one look to the next, field by field. */
final class StatusChanges {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final Shop shop;
  private final Map<String, Map<String, String>> known = new HashMap<>();
  private final List<String> seen = new ArrayList<>();

  private StatusChanges(Shop shop) {
    this.shop = shop;
  }

  static StatusChanges of(Shop shop) {
    StatusChanges changes = new StatusChanges(shop);
    changes.look();
    return changes;
  }

  void look() {
    for (String name : shop.names()) {
      Map<String, String> now = new TreeMap<>();
      leaves("status", JSON.valueToTree(shop.journey(name).status()), now);
      Map<String, String> before = known.put(name, now);
      if (before != null && !before.equals(now)) {
        TreeSet<String> fields = new TreeSet<>(before.keySet());
        fields.addAll(now.keySet());
        fields.removeIf(field -> String.valueOf(before.get(field)).equals(now.get(field)));
        for (String field : fields) {
          seen.add("%s: %s: %s -> %s".formatted(name, field, before.get(field), now.get(field)));
        }
      }
    }
  }

  List<String> seen() {
    return List.copyOf(seen);
  }

  private static void leaves(String path, JsonNode node, Map<String, String> into) {
    if (node.isContainerNode()) {
      int i = 0;
      for (JsonNode element : node) {
        String step = node.isArray() ? "[" + i + "]" : "." + name(node, i);
        leaves(path + step, element, into);
        i++;
      }
    } else {
      into.put(path, node.asText());
    }
  }

  private static String name(JsonNode object, int index) {
    return object.properties().stream().skip(index).findFirst().orElseThrow().getKey();
  }
}
