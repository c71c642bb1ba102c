package dev.ragjourney.plan;

import org.jspecify.annotations.Nullable;

/** A document that is not a plan this version can use. The message says where, what and why. */
public final class InvalidPlanException extends Exception {

  /** What kind of fault. */
  public enum Reason {
    /** Not JSON at all, or cut off. */
    NOT_JSON,
    /** More bytes than {@link PlanCodec#MAX_BYTES}. */
    TOO_LARGE,
    /** Written for another schema. */
    SCHEMA_VERSION,
    /** A field is missing or has a value it cannot have. */
    FIELD
  }

  private final Reason reason;
  private final String path;

  InvalidPlanException(Reason reason, String path, String problem) {
    this(reason, path, problem, null);
  }

  InvalidPlanException(Reason reason, String path, String problem, @Nullable Throwable cause) {
    super(path.isEmpty() ? problem : path + ": " + problem, cause);
    this.reason = reason;
    this.path = path;
  }

  public Reason reason() {
    return reason;
  }

  /** The field, like {@code budget.stages[1].cap}; empty for the document as a whole. */
  public String path() {
    return path;
  }
}
