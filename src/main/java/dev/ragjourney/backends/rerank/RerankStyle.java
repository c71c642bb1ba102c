package dev.ragjourney.backends.rerank;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;

/** Whose rerank API a server speaks; they differ in the path and in one field. */
enum RerankStyle {
  COHERE("Cohere", "/v2"),
  JINA("Jina", "/v1");

  private final String label;
  private final String version;

  RerankStyle(String label, String version) {
    this.label = label;
    this.version = version;
  }

  static RerankStyle of(BackendPlan plan) {
    String style = plan.settings().getOrDefault("style", JINA.label);
    for (RerankStyle each : values()) {
      if (each.label.equals(style)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        plan.path("style") + " is \"" + style + "\", must be Cohere or Jina");
  }

  /** Adds to the base what it lacks of {@code /VERSION/rerank}. */
  URI address(URI base) {
    if (Endpoint.pathEndsWith(base, "/rerank")) {
      return base;
    }
    boolean versioned = Endpoint.pathEndsWith(base, "/v1") || Endpoint.pathEndsWith(base, "/v2");
    return Endpoint.plus(base, (versioned ? "" : version) + "/rerank");
  }
}
