package dev.ragjourney.support.kubernetes;

import dev.ragjourney.support.kubernetes.ResourceType.Column;
import java.util.List;

/** What {@code kubectl get} shows of the kinds Kubernetes itself brings. */
final class BuiltInColumns {
  private static final Column AGE = new Column("Age", "date", ".metadata.creationTimestamp", 0);

  private BuiltInColumns() {}

  static List<Column> of(String kind) {
    return switch (kind) {
      case "Pod" ->
          List.of(
              new Column("Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status", 0),
              new Column("Status", "string", ".status.phase", 0),
              AGE,
              new Column("IP", "string", ".status.podIP", 1));
      case "Deployment" ->
          List.of(
              new Column("Ready", "integer", ".status.readyReplicas", 0),
              new Column("Up-to-date", "integer", ".status.updatedReplicas", 0),
              new Column("Available", "integer", ".status.availableReplicas", 0),
              AGE);
      case "Service" ->
          List.of(
              new Column("Type", "string", ".spec.type", 0),
              new Column("Cluster-IP", "string", ".spec.clusterIP", 0),
              new Column("Port", "string", ".spec.ports[0].port", 0),
              AGE);
      case "Event" ->
          List.of(
              new Column("Last Seen", "date", ".lastTimestamp", 0),
              new Column("Type", "string", ".type", 0),
              new Column("Reason", "string", ".reason", 0),
              new Column("Object", "string", ".involvedObject.name", 0),
              new Column("Message", "string", ".message", 0));
      case "Namespace" -> List.of(new Column("Status", "string", ".status.phase", 0), AGE);
      default -> List.of(AGE);
    };
  }
}
