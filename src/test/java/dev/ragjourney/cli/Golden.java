package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Outputs that a person has read. {@code -Dgolden.write=true} writes them anew, to be read again.
 */
final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/cli");

  private Golden() {}

  static void assertSame(String file, String output) {
    String actual = output.replaceAll("http://127\\.0\\.0\\.1:\\d+", "http://prometheus:9090");
    Path expected = FOLDER.resolve(file);
    try {
      if (Boolean.getBoolean("golden.write")) {
        Files.writeString(expected, actual);
      }
      assertThat(actual).isEqualTo(Files.readString(expected));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without what depends on the search for the best settings, which has tests of its own. */
  static String withoutForecasts(String output) {
    return output
        .replaceAll("(?s)\nNEXT.*?\n\n", "\n")
        .replaceAll("(?m)^ {9}\\S.* (be full if nothing|costs the most full answers).*\n", "")
        .replaceAll("(?m)^\n?(a round now|the last round|MaxQuality:).*\n", "");
  }
}
