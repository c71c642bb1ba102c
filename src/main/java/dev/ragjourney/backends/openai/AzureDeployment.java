package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A deployment of a model and where it is called.
 *
 * @param name sent as the model
 * @param url what {@code /chat/completions} and {@code /embeddings} are put before the query of
 * @param current the version of the API knows {@code max_completion_tokens} and {@code
 *     stream_options}; an older one refuses a request that has them
 */
record AzureDeployment(String name, URI url, boolean current) {
  /** The end of an endpoint whose paths are those of OpenAI itself. */
  private static final String UNIFIED = "/openai/v1";

  /** The newest version that is no preview, for the paths that name the deployment. */
  private static final String NEWEST = "2024-10-21";

  /** Versions are dates, some with {@code -preview} behind; so they sort as text. */
  private static final String FIRST_CURRENT = "2024-09-01";

  static AzureDeployment of(BackendPlan plan) {
    String deployment = plan.settings().get("deployment");
    if (deployment == null || deployment.isBlank()) {
      throw new IllegalArgumentException(
          plan.path("deployment") + " is missing, must name a deployment");
    }
    URI endpoint = Endpoint.of(plan, "endpoint");
    String declared = plan.settings().get("apiVersion");
    if (Endpoint.pathEndsWith(endpoint, UNIFIED)) {
      return new AzureDeployment(deployment, versioned(endpoint, declared), true);
    }
    String version = declared == null ? NEWEST : declared;
    String root = Endpoint.pathEndsWith(endpoint, "/openai") ? "" : "/openai";
    URI url = Endpoint.plus(endpoint, root + "/deployments/" + Endpoint.segment(deployment));
    return new AzureDeployment(
        deployment, versioned(url, version), version.compareTo(FIRST_CURRENT) >= 0);
  }

  private static URI versioned(URI url, @Nullable String version) {
    return version == null ? url : Endpoint.withParameter(url, "api-version", version);
  }
}
