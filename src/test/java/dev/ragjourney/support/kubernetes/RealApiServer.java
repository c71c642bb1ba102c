package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real API server of a test that was selected by hand or by CI. */
public final class RealApiServer {
  /** Path of the kubeconfig; without it these tests fail, as nobody selects them by accident. */
  private static final String KUBECONFIG = "RAGJOURNEY_TEST_KUBECONFIG";

  private RealApiServer() {}

  public static KubernetesClient client() {
    String path = System.getenv(KUBECONFIG);
    if (path == null || !Files.isReadable(Path.of(path))) {
      throw new IllegalStateException(
          "Set "
              + KUBECONFIG
              + " to the kubeconfig of a running API server; src/test/cluster/README.md starts one."
              + " Found: "
              + path);
    }
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(Path.of(path).toFile()))
        .build();
  }

  /** The columns that {@code kubectl get} prints for a list, the wide ones included. */
  public static List<String> columns(KubernetesClient client, String path) {
    URI uri = URI.create(client.getConfiguration().getMasterUrl()).resolve(path);
    HttpResponse<String> response =
        client
            .getHttpClient()
            .sendAsync(
                client
                    .getHttpClient()
                    .newHttpRequestBuilder()
                    .uri(uri)
                    .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                    .build(),
                String.class)
            .join();
    try {
      JsonNode table = new ObjectMapper().readTree(response.body());
      List<String> names = new ArrayList<>();
      table.path("columnDefinitions").forEach(column -> names.add(column.path("name").asText()));
      return names;
    } catch (com.fasterxml.jackson.core.JsonProcessingException wrong) {
      throw new IllegalStateException("not a table: " + response.body(), wrong);
    }
  }
}
