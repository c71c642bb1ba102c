package dev.ragjourney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every source file keeps to. */
class SourceFilesTest {
  private static final int LONGEST = 400;
  private static final int USUAL = 150;
  private static final Pattern DISABLED = Pattern.compile("@Disabled|Thread\\.sleep\\(");

  @Test
  void no_file_is_longer_than_400_lines_and_most_are_under_150() throws IOException {
    List<String> tooLong = new ArrayList<>();
    int all = 0;
    int usual = 0;
    for (Path file : javaFiles(Path.of("src"))) {
      int lines = Files.readAllLines(file).size();
      all++;
      if (lines <= USUAL) {
        usual++;
      }
      if (lines > LONGEST) {
        tooLong.add(file + ": " + lines);
      }
    }
    assertThat(tooLong).isEmpty();
    assertThat(all).as("files seen").isGreaterThan(50);
    assertThat((double) usual / all).as("share of files of at most 150 lines").isGreaterThan(0.6);
  }

  @Test
  void no_test_is_disabled_and_none_sleeps() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : javaFiles(Path.of("src/test"))) {
      if (file.endsWith("SourceFilesTest.java")) {
        continue;
      }
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (DISABLED.matcher(lines.get(i)).find()
            && !lines.get(i).contains("// the behaviour under test")) {
          found.add(file + ":" + (i + 1) + " " + lines.get(i).strip());
        }
      }
    }
    assertThat(found)
        .as("wait for a condition; a scripted delay is marked '// the behaviour under test'")
        .isEmpty();
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }
}
