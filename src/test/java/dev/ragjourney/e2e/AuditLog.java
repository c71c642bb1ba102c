package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every request that the API server has answered, as {@code src/test/cluster/up} makes it keep. */
record AuditLog(Path file) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String POD = "authentication.kubernetes.io/pod-name";
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /**
   * One request; the namespace and the name may be empty.
   *
   * @param pod whose token it came with; empty for none
   */
  record Entry(
      String user,
      String verb,
      String resource,
      String namespace,
      String name,
      String pod,
      int code,
      Instant received) {
    boolean write() {
      return !READS.contains(verb);
    }

    /** It changed something, events apart. */
    boolean changed() {
      return write() && code < 300 && !resource.equals("events");
    }
  }

  static AuditLog of(Cluster cluster) {
    return new AuditLog(cluster.kubeconfig().resolveSibling("log/audit.json"));
  }

  /** Requests of the service accounts of a namespace. */
  List<Entry> ofServiceAccounts(String namespace) throws IOException {
    String prefix = "system:serviceaccount:" + namespace + ":";
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.contains(prefix) && line.endsWith("}"))
          .map(AuditLog::entry)
          .filter(entry -> entry.user().startsWith(prefix))
          .toList();
    }
  }

  /** What anybody changed of these resources. */
  List<Entry> changes(Set<String> resources) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.endsWith("}"))
          .filter(line -> resources.stream().anyMatch(each -> line.contains('"' + each + '"')))
          .map(AuditLog::entry)
          .filter(entry -> resources.contains(entry.resource()) && entry.changed())
          .toList();
    }
  }

  /** What a user wrote from an instant on; a leader's lease and events apart. */
  List<Entry> writes(String user, Instant from) throws IOException {
    return requests(user, from).stream()
        .filter(Entry::write)
        .filter(entry -> !entry.resource().equals("leases"))
        .filter(entry -> !entry.resource().equals("events"))
        .filter(entry -> !entry.resource().startsWith("selfsubject"))
        .toList();
  }

  /** What a user asked for from an instant on. */
  List<Entry> requests(String user, Instant from) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.contains(user) && line.endsWith("}"))
          .map(AuditLog::entry)
          .filter(entry -> entry.user().equals(user) && !entry.received().isBefore(from))
          .toList();
    }
  }

  private static Entry entry(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      JsonNode object = node.path("objectRef");
      return new Entry(
          node.path("user").path("username").asText(),
          node.path("verb").asText(),
          object.path("resource").asText()
              + (object.has("subresource") ? "/" + object.path("subresource").asText() : ""),
          object.path("namespace").asText(),
          object.path("name").asText(),
          node.path("user").path("extra").path(POD).path(0).asText(),
          node.path("responseStatus").path("code").asInt(),
          Instant.parse(node.path("requestReceivedTimestamp").asText()));
    } catch (IOException e) {
      throw new IllegalStateException(line, e);
    }
  }
}
