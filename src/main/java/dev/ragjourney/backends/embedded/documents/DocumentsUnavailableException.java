package dev.ragjourney.backends.embedded.documents;

/** There is nothing to index. The message says why and what would be right. */
public final class DocumentsUnavailableException extends Exception {
  public DocumentsUnavailableException(String message) {
    super(message);
  }
}
