package dev.ragjourney.backends.embedded.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether documents changed is told without reading them. */
class FingerprintTest {
  private static final FileTime EARLIER = FileTime.from(Instant.parse("2030-01-02T03:04:05Z"));

  @TempDir Path folder;

  @BeforeEach
  void two_documents() throws IOException {
    write("a.txt", "one");
    write("b.md", "two");
  }

  @Test
  void the_same_documents_are_the_same() {
    assertThat(fingerprint()).isNotEmpty().isEqualTo(fingerprint());
  }

  @Test
  void another_time_another_size_another_name_and_another_file_are_a_change() throws IOException {
    String before = fingerprint();
    Files.setLastModifiedTime(folder.resolve("a.txt"), FileTime.from(Instant.now()));
    assertThat(fingerprint()).isNotEqualTo(before);
    write("a.txt", "one");
    assertThat(fingerprint()).isEqualTo(before);
    write("a.txt", "longer");
    assertThat(fingerprint()).isNotEqualTo(before);
    write("a.txt", "one");
    Files.move(folder.resolve("b.md"), folder.resolve("c.md"));
    assertThat(fingerprint()).isNotEqualTo(before);
    Files.move(folder.resolve("c.md"), folder.resolve("b.md"));
    write("d.html", "<p>three");
    assertThat(fingerprint()).isNotEqualTo(before);
  }

  @Test
  void files_of_other_kinds_do_not_matter() throws IOException {
    String before = fingerprint();
    write("picture.png", "x");
    assertThat(fingerprint()).isEqualTo(before);
  }

  @Test
  void a_folder_without_documents_or_none_at_all_has_no_fingerprint() throws IOException {
    Files.delete(folder.resolve("a.txt"));
    Files.delete(folder.resolve("b.md"));
    assertThat(fingerprint()).isEmpty();
    assertThat(DocumentFolder.fingerprint(folder.resolve("missing"), DocumentLimits.DEFAULT))
        .isEmpty();
  }

  private void write(String name, String text) throws IOException {
    Files.setLastModifiedTime(Files.writeString(folder.resolve(name), text), EARLIER);
  }

  private String fingerprint() {
    return DocumentFolder.fingerprint(folder, DocumentLimits.DEFAULT);
  }
}
