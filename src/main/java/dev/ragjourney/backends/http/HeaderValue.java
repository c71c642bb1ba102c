package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;

/** A secret part of a header, asked for with every call because it changes in time. */
public interface HeaderValue {
  /**
   * @param nowNanos monotonic
   * @throws BackendException if there is none just now, naming what is missing, never a value
   */
  String headerValue(long nowNanos) throws BackendException;
}
