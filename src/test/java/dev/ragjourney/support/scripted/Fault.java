package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One way to misbehave.
 *
 * @param kind what goes wrong
 * @param share 0…1 of the requests that meet it
 * @param times the most requests that meet it, then it is over; 0 for no limit
 * @param status of {@link Kind#STATUS}
 * @param retryAfterSeconds sent with {@link Kind#STATUS}; null for none
 * @param everyMs between two bytes of {@link Kind#SLOW_DRIP}, two keep-alives of {@link
 *     Kind#KEEP_ALIVES}
 */
public record Fault(
    Kind kind,
    double share,
    int times,
    int status,
    @Nullable Integer retryAfterSeconds,
    long everyMs) {

  /** What goes wrong. */
  public enum Kind {
    /** Reads the request and stays silent. */
    HANG_BEFORE_HEADERS,
    /** Sends headers and half of the body, then nothing more. */
    HANG_IN_BODY,
    /** Sends the body byte by byte. */
    SLOW_DRIP,
    /** Closes with a TCP reset instead of an answer. */
    RESET,
    /** Sends half of the body, then a TCP reset. */
    RESET_IN_BODY,
    /** Sends half of the body, ends its own direction and keeps reading. */
    HALF_CLOSE,
    /** Another status than 200, with an error object. */
    STATUS,
    /** 307 to another path of this server, which would answer. */
    REDIRECT,
    /** An error object with status 200. */
    ERROR_SHAPED_200,
    /** A body that is no JSON. */
    GARBAGE,
    /** A complete response whose JSON ends in the middle. */
    TRUNCATED_JSON,
    /** A body that never ends. */
    ENDLESS_BODY,
    /** A whole answer with nothing in it: no content, no results, no vector. */
    EMPTY,
    /** A vector one component short. */
    WRONG_DIMENSION,
    /** NaN where a number belongs. */
    NOT_A_NUMBER,
    /** A number too large for a double. */
    INFINITE_NUMBER,
    /** A result for a passage that was not asked about. */
    BAD_INDEX,
    /** The same passage twice. */
    DUPLICATE_RESULT,
    /** One result fewer than passages. */
    MISSING_RESULT,
    /** A stream with a role-only chunk and comments before the content. */
    KEEP_ALIVES,
    /** The same, and never any content. */
    KEEP_ALIVES_FOREVER,
    /** A stream that ends without a finish reason. */
    NO_FINISH_REASON,
    /** A stream that goes silent after the finish reason. */
    HANG_AFTER_FINISH,
    /** An error object in the middle of a stream. */
    ERROR_IN_STREAM
  }

  public Fault {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share + ", must be 0 to 1");
    }
    if (times < 0) {
      throw new IllegalArgumentException("times is " + times + ", must be 0 or more");
    }
    if (kind == Kind.STATUS && (status < 200 || status > 599)) {
      throw new IllegalArgumentException("status is " + status + ", must be 200 to 599");
    }
    if (everyMs < 0) {
      throw new IllegalArgumentException("everyMs is " + everyMs + ", must be 0 or more");
    }
  }

  @JsonCreator
  static Fault fromJson(
      @JsonProperty("kind") Kind kind,
      @JsonProperty("share") @Nullable Double share,
      @JsonProperty("times") int times,
      @JsonProperty("status") int status,
      @JsonProperty("retryAfterSeconds") @Nullable Integer retryAfterSeconds,
      @JsonProperty("everyMs") @Nullable Long everyMs) {
    if (kind == null) {
      throw new IllegalArgumentException("kind is missing");
    }
    return new Fault(
        kind,
        share == null ? 1 : share,
        times,
        status == 0 && kind == Kind.STATUS ? 500 : status,
        retryAfterSeconds,
        everyMs == null ? 10 : everyMs);
  }

  public static Fault always(Kind kind) {
    return new Fault(kind, 1, 0, 500, null, 10);
  }

  public static Fault status(int status) {
    return new Fault(Kind.STATUS, 1, 0, status, null, 10);
  }

  public static Fault status(int status, int retryAfterSeconds) {
    return new Fault(Kind.STATUS, 1, 0, status, retryAfterSeconds, 10);
  }

  /** Only a share of the requests, 0…1. */
  public Fault withShare(double newShare) {
    return new Fault(kind, newShare, times, status, retryAfterSeconds, everyMs);
  }

  /** Only the first requests. */
  public Fault withTimes(int newTimes) {
    return new Fault(kind, share, newTimes, status, retryAfterSeconds, everyMs);
  }

  public Fault every(long millis) {
    return new Fault(kind, share, times, status, retryAfterSeconds, millis);
  }
}
