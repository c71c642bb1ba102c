package dev.ragjourney.pipeline;

/** The call was cut off; whatever it would have returned is not wanted any more. */
public final class CallCancelledException extends Exception {
  public CallCancelledException() {
    super("the call was cut off", null, false, false);
  }
}
