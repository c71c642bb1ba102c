package dev.ragjourney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guards that the page about rebalancing lists, each with the tests that fail without it. */
class GuardTableTest {
  private static final Path PAGE = Path.of("src/site/markdown/rebalancing.md");
  private static final String TITLE = "### Each guard, and the test that fails without it";
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  @Test
  void every_guard_has_a_test_and_every_test_that_is_named_is_there() throws IOException {
    List<String> rows =
        Files.readString(PAGE)
            .lines()
            .dropWhile(line -> !line.equals(TITLE))
            .skip(1)
            .takeWhile(line -> !line.startsWith("#"))
            .filter(line -> line.startsWith("| ") && !line.startsWith("| guard "))
            .filter(line -> !line.startsWith("| **"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(40);
    for (String row : rows) {
      List<MatchResult> named = NAMED.matcher(row).results().toList();
      assertThat(named).as(row).isNotEmpty();
      for (MatchResult test : named) {
        assertThat(source(test.group(1)))
            .as(test.group())
            .containsPattern("void " + test.group(2) + "\\(");
      }
    }
  }

  private static String source(String test) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      List<Path> found = files.filter(file -> file.endsWith(test + ".java")).toList();
      assertThat(found).as("files of %s", test).hasSize(1);
      return Files.readString(found.getFirst());
    }
  }
}
