package dev.ragjourney.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README says is there. */
class ReadmeTest {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```\\n(.*?)^```");
  private static final Pattern TEST_NAME = Pattern.compile("\\b[A-Z]\\w+(?:Test|IT|E2E)\\b");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

  @Test
  void the_first_two_fenced_blocks_are_one_command_each() throws IOException {
    List<String> blocks =
        FENCED.matcher(readme()).results().map(block -> block.group(1).strip()).limit(2).toList();
    assertThat(blocks).hasSize(2).allSatisfy(block -> assertThat(block.lines()).hasSize(1));
    assertThat(blocks.get(0)).contains("exec:exec@local");
    assertThat(blocks.get(1)).contains("verify");
  }

  @Test
  void every_test_that_a_promise_names_exists() throws IOException {
    Set<String> present;
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      present =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
    }
    Set<String> named =
        readme()
            .lines()
            .filter(line -> line.startsWith("| "))
            .flatMap(line -> TEST_NAME.matcher(line).results().map(MatchResult::group))
            .collect(Collectors.toSet());
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(present).containsAll(named);
  }

  @Test
  void every_link_to_a_file_leads_somewhere() throws IOException {
    assertThat(LINK.matcher(readme()).results().map(link -> Path.of(link.group(1))))
        .isNotEmpty()
        .allSatisfy(target -> assertThat(target).exists());
  }

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }
}
