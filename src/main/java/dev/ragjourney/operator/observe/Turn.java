package dev.ragjourney.operator.observe;

/** Whether a journey may take another default image than the one that its pods run. */
public sealed interface Turn {
  /** It may, or there is none to take. */
  record Now() implements Turn {}

  /**
   * Its pods stay as they are for now.
   *
   * @param reason {@link #WAITS} or {@link #STOPPED}
   * @param message the same for all that wait, and for as long as they wait for the same
   */
  record Waits(String reason, String message) implements Turn {}

  /** Others take the image first. */
  String WAITS = "ImageWaits";

  /** Nobody takes the image any more, because a journey failed with it. */
  String STOPPED = "ImageRolloutStopped";

  Turn NOW = new Now();
}
