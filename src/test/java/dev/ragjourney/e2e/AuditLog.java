package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Every request that the API server has answered, as {@code src/test/cluster/up} makes it keep. */
record AuditLog(Path file) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** One request. */
  record Entry(String user, String verb, String resource, int code) {}

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

  private static Entry entry(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      JsonNode object = node.path("objectRef");
      return new Entry(
          node.path("user").path("username").asText(),
          node.path("verb").asText(),
          object.path("resource").asText()
              + (object.has("subresource") ? "/" + object.path("subresource").asText() : ""),
          node.path("responseStatus").path("code").asInt());
    } catch (IOException e) {
      throw new IllegalStateException(line, e);
    }
  }
}
