package dev.ragjourney.server;

import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.Turn;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that was understood: what it asks, and how its answer is said. */
interface Asking {
  /** Not blank. */
  String question();

  /** The conversation before the question, oldest first, bounded in size. */
  List<Turn> earlier();

  /** Who asks, where the body says so; else empty. */
  String user();

  /** Whether the answer is wanted as it is written. */
  boolean stream();

  /** The caller wants no longer answer; null where it sets no limit. */
  @Nullable Integer maxTokens();

  /**
   * @param now for answers that carry the time of day
   * @throws RefusedException if the request is not for this route
   */
  Voice voice(Route route, ServerResponse response, Instant now) throws RefusedException;
}
