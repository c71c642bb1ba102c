package dev.ragjourney.server;

import io.helidon.webserver.http.ServerResponse;
import org.jspecify.annotations.Nullable;

/** One way of talking to a journey: how requests are read, and how they are refused. */
interface Dialect {
  /** The most bytes of a body. */
  int maxBytes();

  /**
   * @param contentType the request's header; null where there is none
   */
  Asking read(@Nullable String contentType, byte[] body) throws RefusedException;

  /** Sends an error in this dialect's shape. */
  void refuse(Problem problem, ServerResponse response);
}
