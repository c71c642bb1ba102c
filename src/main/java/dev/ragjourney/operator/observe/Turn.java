package dev.ragjourney.operator.observe;

/**
 * Whether a journey may take another pod template than the one that its pods have, where its spec
 * did not ask for it.
 */
public sealed interface Turn {
  /** It may, or there is none to take. */
  record Now() implements Turn {}

  /**
   * Its pods stay as they are for now.
   *
   * @param reason {@link #WAITS} or {@link #STOPPED}
   * @param message what becomes of it, the same for all that wait, and for as long as they wait for
   *     the same
   */
  record Waits(String reason, String message) implements Turn {}

  /** Others take it first. */
  String WAITS = "RolloutWaits";

  /** Nobody takes it any more, because a journey failed. */
  String STOPPED = "RolloutStopped";

  Turn NOW = new Now();
}
