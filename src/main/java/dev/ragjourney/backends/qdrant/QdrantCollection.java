package dev.ragjourney.backends.qdrant;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Which collection is searched, and what of it is asked for.
 *
 * @param url of the service
 * @param name of the collection
 * @param contentField path in the payload to a passage's text; dots lead into nested objects, as in
 *     Qdrant's own selector
 * @param titleField path in the payload to the title of its document
 * @param vectorField the vector's name; null for the collection's only, nameless one
 * @param ef candidates that the search looks at; null for the collection's own number
 */
record QdrantCollection(
    URI url,
    String name,
    String contentField,
    String titleField,
    @Nullable String vectorField,
    @Nullable Integer ef) {
  private static final String CONTENT = "content";
  private static final String TITLE = "title";
  private static final long SECOND_NANOS = 1_000_000_000L;

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field and what would be
   *     right
   */
  static QdrantCollection of(BackendPlan plan) {
    URI url = Endpoint.of(plan, "url");
    String name = plan.settings().getOrDefault("collection", "");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          plan.path("collection") + " is missing, must be the name of a collection");
    }
    String ef = plan.settings().get("ef");
    if (ef != null && !ef.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(
          plan.path("ef") + " is \"" + ef + "\", must be a whole number above 0");
    }
    return new QdrantCollection(
        url,
        name,
        plan.settings().getOrDefault("contentField", CONTENT),
        plan.settings().getOrDefault("titleField", TITLE),
        plan.settings().get("vectorField"),
        ef == null ? null : Integer.valueOf(ef));
  }

  /** A collection of which nothing but the name is said. */
  static QdrantCollection named(URI url, String name) {
    return new QdrantCollection(url, name, CONTENT, TITLE, null, null);
  }

  /**
   * Where a call asks. The service takes a time-out in whole seconds, too coarse to keep a budget
   * by: our own cut does that. It is sent so that a search does not go on for the service's default
   * of a minute after the journey that asked is over.
   */
  URI query(StageCall call) {
    long nanos = Math.max(call.remainingNanos(), call.journeyRemainingNanos());
    long seconds = Math.max(1, Math.ceilDiv(nanos, SECOND_NANOS));
    URI query = Endpoint.plus(url, "/collections/" + Endpoint.segment(name) + "/points/query");
    return Endpoint.withParameter(query, "timeout", Long.toString(seconds));
  }
}
