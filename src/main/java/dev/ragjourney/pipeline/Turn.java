package dev.ragjourney.pipeline;

/**
 * An earlier part of the conversation.
 *
 * @param speaker who said it
 * @param text what was said
 */
public record Turn(Speaker speaker, String text) {
  /** The label is the role's spelling in chat APIs. */
  public enum Speaker {
    USER("user"),
    ASSISTANT("assistant");

    private final String label;

    Speaker(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
