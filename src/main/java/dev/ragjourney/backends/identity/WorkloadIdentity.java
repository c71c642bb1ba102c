package dev.ragjourney.backends.identity;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Azure's webhook for workload identity tells a pod.
 *
 * @param assertionFile signed by the cluster, and written anew before it expires
 * @param tokenUrl where it is exchanged
 */
record WorkloadIdentity(Path assertionFile, URI tokenUrl, String clientId) {
  private static final String FILE = "AZURE_FEDERATED_TOKEN_FILE";
  private static final String TENANT = "AZURE_TENANT_ID";
  private static final String CLIENT = "AZURE_CLIENT_ID";
  private static final String AUTHORITY = "AZURE_AUTHORITY_HOST";
  private static final String PUBLIC_CLOUD = "https://login.microsoftonline.com/";

  private static final String SCOPE = "https://cognitiveservices.azure.com/.default";
  private static final String ASSERTION_TYPE =
      "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  /**
   * @throws IllegalArgumentException naming what is not set and what sets it
   */
  static WorkloadIdentity from(Map<String, String> environment) {
    String unset =
        List.of(FILE, TENANT, CLIENT).stream()
            .filter(name -> environment.getOrDefault(name, "").isBlank())
            .collect(Collectors.joining(", "));
    if (!unset.isEmpty()) {
      throw new IllegalArgumentException(
          unset
              + " not set: the pod needs the label azure.workload.identity/use: \"true\" and its"
              + " service account the annotation azure.workload.identity/client-id");
    }
    String authority = environment.getOrDefault(AUTHORITY, PUBLIC_CLOUD).strip();
    return new WorkloadIdentity(
        Path.of(environment.getOrDefault(FILE, "").strip()),
        URI.create(
            authority.replaceAll("/+$", "")
                + "/"
                + environment.getOrDefault(TENANT, "").strip()
                + "/oauth2/v2.0/token"),
        environment.getOrDefault(CLIENT, "").strip());
  }

  /** The form that asks for a token. */
  String form(String assertion) {
    return "grant_type=client_credentials&client_id="
        + encoded(clientId)
        + "&scope="
        + encoded(SCOPE)
        + "&client_assertion_type="
        + encoded(ASSERTION_TYPE)
        + "&client_assertion="
        + encoded(assertion);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
