package dev.ragjourney.crd;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The cap of a Tool stage about whose time nothing is said: a remote service gets ten times what
 * the model takes to decide, one on the pod's own loopback address 250 ms.
 */
final class InitialEstimate {
  static final Duration LOCAL = Duration.ofMillis(250);

  /** What a model takes to decide, where no stage says it. */
  static final Duration DECISION = Duration.ofMillis(200);

  private static final int REMOTE_FACTOR = 10;

  private InitialEstimate() {}

  /**
   * @param url of the tool
   * @param decision what the model takes to decide; null where it is not known
   * @param total the journey's; no cap is above it
   */
  static Duration cap(@Nullable String url, @Nullable Duration decision, Duration total) {
    Duration estimate =
        local(url) ? LOCAL : (decision == null ? DECISION : decision).multipliedBy(REMOTE_FACTOR);
    return Values.min(estimate, total);
  }

  static boolean local(@Nullable String url) {
    if (url == null) {
      return true;
    }
    String host = URI.create(url).getHost();
    return host != null
        && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
  }
}
