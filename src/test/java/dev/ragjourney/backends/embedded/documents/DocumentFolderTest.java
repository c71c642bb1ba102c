package dev.ragjourney.backends.embedded.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.Passage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentFolderTest {
  private static final String PARAGRAPH = "Some text that stands here for all texts.\n";

  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(temp.resolve("documents"));
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, UTF_8);
  }

  private Corpus read() throws DocumentsUnavailableException {
    return DocumentFolder.read(folder, DocumentLimits.DEFAULT);
  }

  @Test
  void files_are_read_in_the_order_of_their_names_also_below_folders() throws Exception {
    write("b.md", PARAGRAPH);
    write("a.TXT", PARAGRAPH);
    write("sub/c.htm", "<p>" + PARAGRAPH);
    write("z.jsonl", "{\"text\": \"Last.\"}");
    write("logo.png", "x");
    Corpus corpus = read();
    assertThat(corpus.passages())
        .extracting(Passage::id)
        .containsExactly("a.TXT#1", "b.md#1", "sub/c.htm#1", "z.jsonl#1");
    assertThat(corpus.documents()).isEqualTo(4);
    assertThat(corpus.problems()).isEmpty();
    assertThat(read()).isEqualTo(corpus);
  }

  @Test
  void a_mounted_config_map_is_indexed_once() throws Exception {
    write("..2026_01_01/faq.txt", PARAGRAPH);
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_01_01"));
    Files.createSymbolicLink(folder.resolve("faq.txt"), Path.of("..data/faq.txt"));
    assertThat(read().passages()).extracting(Passage::id).containsExactly("faq.txt#1");
  }

  @Test
  void a_file_with_two_names_is_indexed_under_the_first() throws Exception {
    write("basics.en.html", "<p>" + PARAGRAPH);
    Files.createSymbolicLink(folder.resolve("basics.html"), Path.of("basics.en.html"));
    assertThat(read().passages()).extracting(Passage::id).containsExactly("basics.en.html#1");
  }

  @Test
  void a_link_out_of_the_folder_is_not_followed() throws Exception {
    write("a.txt", PARAGRAPH);
    Files.writeString(temp.resolve("token.txt"), "s3cret");
    Files.createSymbolicLink(folder.resolve("b.txt"), Path.of("../token.txt"));
    Corpus corpus = read();
    assertThat(corpus.passages()).extracting(Passage::id).containsExactly("a.txt#1");
    assertThat(corpus.problems())
        .extracting(DocumentProblem::toString)
        .containsExactly("b.txt: is a link that leads out of the folder");
  }

  @Test
  void links_that_go_round_in_circles_or_nowhere_do_no_harm() throws Exception {
    write("a/a.txt", PARAGRAPH);
    Files.createSymbolicLink(folder.resolve("a/up"), Path.of(".."));
    Files.createSymbolicLink(folder.resolve("gone.txt"), Path.of("nowhere.txt"));
    Corpus corpus = read();
    assertThat(corpus.passages()).extracting(Passage::id).containsExactly("a/a.txt#1");
    assertThat(corpus.problems())
        .extracting(DocumentProblem::toString)
        .containsExactly("gone.txt: cannot be read: no such file");
  }

  @Test
  void what_exceeds_a_limit_is_left_out_and_named_and_the_rest_is_indexed() throws Exception {
    write("a.txt", PARAGRAPH);
    write("b.txt", PARAGRAPH.repeat(10));
    write("c.txt", PARAGRAPH);
    write("d.txt", PARAGRAPH);
    int size = PARAGRAPH.length();
    DocumentLimits limits = new DocumentLimits(3, 2L * size, 100L * size, 100);
    Corpus corpus = DocumentFolder.read(folder, limits);
    assertThat(corpus.passages()).extracting(Passage::id).containsExactly("a.txt#1", "c.txt#1");
    assertThat(corpus.problems())
        .extracting(DocumentProblem::file)
        .containsExactlyInAnyOrder("b.txt", "d.txt");

    Corpus total = DocumentFolder.read(folder, new DocumentLimits(9, 99L * size, size + 1, 100));
    assertThat(total.passages()).extracting(Passage::id).containsExactly("a.txt#1");
    assertThat(total.problems()).allMatch(problem -> problem.message().contains("bytes in all"));

    Corpus few = DocumentFolder.read(folder, new DocumentLimits(9, 99L * size, 999L * size, 1));
    assertThat(few.passages()).hasSize(1);
    assertThat(few.problems()).singleElement().asString().contains("more than 1 passages");
  }

  @Test
  void files_nested_without_end_harm_nothing_but_themselves() throws Exception {
    write("a.html", "<div>".repeat(200_000) + "deep");
    write("b.md", ">".repeat(50_000) + " deep\n\n" + "[".repeat(50_000) + "*".repeat(50_000));
    write("c.jsonl", "[".repeat(100_000));
    write("d.txt", PARAGRAPH);
    Corpus corpus = read();
    assertThat(corpus.passages()).extracting(Passage::id).contains("d.txt#1");
    assertThat(corpus.problems()).extracting(DocumentProblem::file).contains("c.jsonl");
  }

  @Test
  void odd_bytes_are_replaced_and_named() throws Exception {
    Files.write(folder.resolve("a.txt"), new byte[] {'o', 'd', 'd', ' ', (byte) 0xFF, '!'});
    Corpus corpus = read();
    assertThat(corpus.passages())
        .singleElement()
        .extracting(Passage::text)
        .isEqualTo("odd \uFFFD!");
    assertThat(corpus.problems()).singleElement().asString().startsWith("a.txt: is not UTF-8");
  }

  @Test
  void a_missing_folder_a_file_and_an_empty_folder_each_say_what_is_wrong() throws Exception {
    assertThatThrownBy(() -> DocumentFolder.read(temp.resolve("no"), DocumentLimits.DEFAULT))
        .isInstanceOf(DocumentsUnavailableException.class)
        .hasMessageEndingWith("no does not exist: nothing is mounted there");
    Path file = Files.writeString(temp.resolve("file.txt"), PARAGRAPH);
    assertThatThrownBy(() -> DocumentFolder.read(file, DocumentLimits.DEFAULT))
        .hasMessageEndingWith("file.txt is a file; it has to be a folder");
    assertThatThrownBy(this::read)
        .hasMessageEndingWith("documents holds no txt, md, html or jsonl file (0 others)");
    write("a.txt", " \n \n");
    write("b.jsonl", "oops");
    assertThatThrownBy(this::read)
        .hasMessageContaining("holds no text in its 2 txt, md, html and jsonl files; b.jsonl:1:");
  }
}
