package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.chart.HelmChart;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the operator may do and what it did, as {@code verb resource}.
 *
 * @param changes of what grants rights, in the order of time
 */
record Rights(List<AuditLog.Entry> changes) {
  /** What has to be there for a right: the grant, who holds it, and where it holds. */
  static final Set<String> GRANTING =
      Set.of(
          "clusterroles",
          "clusterrolebindings",
          "roles",
          "rolebindings",
          "serviceaccounts",
          "namespaces");

  private static final String OPERATOR = "ragjourney-operator";

  Rights {
    changes = changes.stream().sorted(Comparator.comparing(AuditLog.Entry::received)).toList();
  }

  /** Verbs and resources of the chart's rules that are bound to the operator. */
  static Set<String> granted(String values) {
    Set<String> granted = new TreeSet<>();
    for (JsonNode object : HelmChart.render(values)) {
      boolean user = object.path("metadata").path("name").asText().matches(".*-(view|edit)");
      if (object.path("kind").asText().endsWith("Role") && !user) {
        for (JsonNode rule : object.path("rules")) {
          for (JsonNode resource : rule.path("resources")) {
            for (JsonNode verb : rule.path("verbs")) {
              granted.add(verb.asText() + " " + resource.asText());
            }
          }
        }
      }
    }
    return granted;
  }

  /** A patch that makes its object needs the right to create it, too. */
  static Set<String> used(List<AuditLog.Entry> requests) {
    Set<String> used = new TreeSet<>();
    for (AuditLog.Entry entry : requests) {
      used.add(entry.verb() + " " + entry.resource());
      if (entry.verb().equals("patch") && entry.code() == 201) {
        used.add("create " + entry.resource());
      }
    }
    return used;
  }

  static boolean refused(AuditLog.Entry entry) {
    return entry.code() == 401 || entry.code() == 403;
  }

  /** Whether the latest change that concerns a request took something away. */
  boolean takenFrom(AuditLog.Entry request) {
    return changes.stream()
        .filter(change -> !change.received().isAfter(request.received()))
        .filter(change -> concerns(change, request.namespace()))
        .reduce((earlier, later) -> later)
        .map(latest -> latest.verb().startsWith("delete"))
        .orElse(false);
  }

  private static boolean concerns(AuditLog.Entry change, String namespace) {
    boolean whole = change.verb().equals("deletecollection");
    return switch (change.resource()) {
      case "namespaces" -> change.name().equals(namespace);
      case "clusterroles", "clusterrolebindings" -> change.name().equals(OPERATOR);
      case "roles", "rolebindings" ->
          change.namespace().equals(namespace) && (whole || change.name().startsWith(OPERATOR));
      case "serviceaccounts" -> change.name().equals(OPERATOR);
      default -> false;
    };
  }
}
