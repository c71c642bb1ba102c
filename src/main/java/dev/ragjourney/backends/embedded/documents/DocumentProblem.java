package dev.ragjourney.backends.embedded.documents;

import org.jspecify.annotations.Nullable;

/**
 * Something in the folder that could not be used; the rest still is.
 *
 * @param file path below the folder
 * @param line from 1; null where it is about the whole file
 * @param message what is wrong and what would be right; never holds the file's text
 */
public record DocumentProblem(String file, @Nullable Integer line, String message) {
  @Override
  public String toString() {
    return line == null ? file + ": " + message : file + ":" + line + ": " + message;
  }
}
