package dev.ragjourney.backends.azure;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the plan says about one index.
 *
 * @param url where it is searched
 * @param idField its key
 * @param contentField the text of a passage
 * @param titleField null for passages without a title
 * @param vectorField null for a search by words alone
 * @param semanticConfiguration null for a search without the ranker
 * @param rankerMaxWait the most that the service lets its ranker take
 */
record AzureIndex(
    URI url,
    String idField,
    String contentField,
    @Nullable String titleField,
    @Nullable String vectorField,
    @Nullable String semanticConfiguration,
    Duration rankerMaxWait) {
  private static final String API_VERSION = "2024-07-01";

  /** The service accepts no shorter one. */
  private static final Duration LEAST_RANKER_WAIT = Duration.ofMillis(700);

  static AzureIndex of(BackendPlan plan) {
    String index = plan.settings().get("index");
    if (index == null || index.isBlank()) {
      throw new IllegalArgumentException(plan.path("index") + " is missing, must name an index");
    }
    URI url =
        Endpoint.plus(
            Endpoint.of(plan, "endpoint"), "/indexes/" + Endpoint.segment(index) + "/docs/search");
    return new AzureIndex(
        Endpoint.withParameter(url, "api-version", API_VERSION),
        plan.settings().getOrDefault("idField", "id"),
        plan.settings().getOrDefault("contentField", "content"),
        plan.settings().get("titleField"),
        plan.settings().get("vectorField"),
        plan.settings().get("semanticConfiguration"),
        rankerMaxWait(plan));
  }

  boolean ranks() {
    return semanticConfiguration != null;
  }

  private static Duration rankerMaxWait(BackendPlan plan) {
    String declared = plan.settings().get("rankerMaxWait");
    Duration wait = declared == null ? LEAST_RANKER_WAIT : Durations.parse(declared);
    if (wait.compareTo(LEAST_RANKER_WAIT) < 0) {
      throw new IllegalArgumentException(
          plan.path("rankerMaxWait") + " is " + declared + ", must be at least 700ms");
    }
    return wait;
  }
}
