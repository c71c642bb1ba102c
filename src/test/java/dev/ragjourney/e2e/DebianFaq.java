package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The Debian FAQ as Debian's package debian-faq ships it, and questions that it answers. */
final class DebianFaq {
  private static final Path FOLDER = Path.of("/usr/share/doc/debian/FAQ");
  private static final String ENDING = ".en.html";

  /**
   * A question in other words than the text's own.
   *
   * @param chapter the file that answers it, without its ending
   */
  record Asked(String chapter, String question) {
    /** The chapter is one of the first three sources. */
    boolean groundedIn(List<String> sources) {
      return sources.stream().limit(3).anyMatch(id -> id.startsWith(chapter + ENDING + "#"));
    }
  }

  private DebianFaq() {}

  static ConfigMap documents(String namespace, String name) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> listed = Files.list(FOLDER)) {
      for (Path file : listed.filter(path -> path.toString().endsWith(ENDING)).toList()) {
        // The index repeats every heading and answers nothing.
        if (!file.endsWith("index" + ENDING)) {
          files.put(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    assertThat(files).as("chapters in %s", FOLDER).hasSizeGreaterThan(10);
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withData(files)
        .build();
  }

  static List<Asked> questions() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/e2e/questions.tsv")).stream()
        .map(line -> line.split("\t", 2))
        .map(parts -> new Asked(parts[0], parts[1]))
        .toList();
  }
}
