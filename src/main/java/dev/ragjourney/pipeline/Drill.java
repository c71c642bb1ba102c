package dev.ragjourney.pipeline;

/**
 * A forced failure: every fallback is a path that needs testing.
 *
 * @param stage the stage whose primary call is forced to fail
 * @param failure how
 */
public record Drill(String stage, Failure failure) {
  /** The label is the spelling in the {@code x-rag-drill} header. */
  public enum Failure {
    /** The call hangs until it is cut. */
    TIMEOUT("timeout"),
    /** The call fails at once. */
    ERROR("error");

    private final String label;

    Failure(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
