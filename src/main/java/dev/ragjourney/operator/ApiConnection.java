package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;

/** How the operator talks to the API server. */
public final class ApiConnection {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

  /**
   * Short enough that a leader whose API server hangs knows it before its lease of ten seconds is
   * another's to take.
   */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private ApiConnection() {}

  /**
   * The same server and credentials, each request sent once and answered within a bound. Left to
   * itself the client sends a refused request up to ten times more and keeps the thread that
   * reconciles for up to two minutes; the queue's own retries, with back-off, hold no thread and
   * look at the world anew.
   */
  public static Config bounded(Config config) {
    return new ConfigBuilder(config)
        .withConnectionTimeout((int) CONNECT_WITHIN.toMillis())
        .withRequestTimeout((int) ANSWER_WITHIN.toMillis())
        .withRequestRetryBackoffLimit(0)
        .build();
  }
}
