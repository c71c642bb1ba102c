package dev.ragjourney.budget;

/** What bounds a stage's allowance. */
public enum Limit {
  /** The stage's own cap. */
  CAP,
  /** What the journey has left after the hold-back. */
  DEADLINE,
  /** Too little is left to be useful: the stage does not start. */
  NO_TIME
}
