package dev.ragjourney.operator.status;

/**
 * What a condition says, before its times.
 *
 * @param status {@code True}, {@code False} or {@code Unknown}
 */
record Verdict(String type, String status, String reason, String message) {
  static final String TRUE = "True";
  static final String FALSE = "False";
  static final String UNKNOWN = "Unknown";

  static Verdict of(String type, boolean status, String reason, String message) {
    return new Verdict(type, status ? TRUE : FALSE, reason, message);
  }

  static Verdict unknown(String type, String reason, String message) {
    return new Verdict(type, UNKNOWN, reason, message);
  }
}
