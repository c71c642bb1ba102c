package dev.ragjourney.backends.http;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * What a service's error means, for services that give no short code. In our own words: an error's
 * text may quote the key or the question, so that at most names and numbers are taken from it.
 */
@FunctionalInterface
public interface ErrorWords {
  /** For services whose code says it all, or that say nothing. */
  ErrorWords NONE = (status, body) -> null;

  /**
   * @return null where the error is none of those that are known
   */
  @Nullable String of(int status, JsonNode body);
}
