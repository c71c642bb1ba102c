package dev.ragjourney.operator.observe;

/** What a pod said when it was asked for its plan. */
public sealed interface PodAnswer {
  /**
   * It runs a plan.
   *
   * @param problem what it is waiting for before it is ready; empty for nothing
   */
  record Running(long revision, Problem problem) implements PodAnswer {}

  /** It did not answer in time, or not as a pod of this journey. */
  record Unreachable(String message) implements PodAnswer {}

  /**
   * Why a pod is not ready.
   *
   * @param reason {@code SecretMissing}, {@code DocumentsMissing}, or empty for no such reason
   * @param message names the object that is missing
   */
  record Problem(String reason, String message) {
    public static final Problem NONE = new Problem("", "");
  }
}
