package dev.ragjourney.backends.embedded.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.backends.embedded.documents.Document.Section;
import dev.ragjourney.pipeline.Passage;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkerTest {
  /** {@code count} sentences of ten words each. */
  private static String sentences(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "Sentence number " + i + " says a few more plain words here.")
        .collect(Collectors.joining(" "));
  }

  private static List<Passage> passages(String... paragraphs) {
    Section section = new Section(List.of(), List.of(paragraphs));
    return new Chunker().passages(new Document("a.txt", "A", List.of(section)));
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "1  | 1 | one sentence is one passage",
        "20 | 1 | 200 words are one passage",
        "23 | 1 | a tail of 30 words joins the passage before it",
        "24 | 2 | a tail of 40 words is a passage of its own",
        "60 | 3 | 600 words are three passages",
      })
  void long_paragraphs_are_divided_at_sentences(int sentences, int passages, String sentence) {
    List<Passage> made = passages(sentences(sentences));
    assertThat(made).as(sentence).hasSize(passages);
    for (int i = 1; i <= sentences; i++) {
      String one = "Sentence number " + i + " says a few more plain words here.";
      assertThat(made).as("sentence %s is whole", i).anyMatch(p -> p.text().contains(one));
    }
  }

  @Test
  void a_passage_begins_with_the_last_sentence_of_the_one_before_it() {
    List<Passage> made = passages(sentences(60));
    assertThat(made.get(1).text()).startsWith("Sentence number 20 ");
    assertThat(made.get(2).text()).startsWith("Sentence number 40 ");
  }

  @Test
  void nothing_is_repeated_across_sections() {
    Section first = new Section(List.of("One"), List.of(sentences(20)));
    Section second = new Section(List.of("Two"), List.of("Another matter."));
    List<Passage> made = new Chunker().passages(new Document("a.txt", "A", List.of(first, second)));
    assertThat(made).extracting(Passage::text).last().isEqualTo("Another matter.");
    assertThat(made).extracting(Passage::title).containsExactly("A › One", "A › Two");
    assertThat(made).extracting(Passage::id).containsExactly("a.txt#1", "a.txt#2");
  }

  @Test
  void short_paragraphs_are_packed_together_with_a_blank_line_between() {
    assertThat(passages("First thing.", "Second thing."))
        .extracting(Passage::text)
        .containsExactly("First thing.\n\nSecond thing.");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a sentence of 5000 words is cut between words, word, 5000",
    "text without blanks is cut by characters, 漢字漢字漢字漢字漢字, 1",
    "no character is cut in two, 😀, 20000",
  })
  void what_cannot_be_divided_at_sentences_is_still_bounded(String name, String unit, int count) {
    String separator = unit.equals("word") ? " " : "";
    String text = String.join(separator, Collections.nCopies(count, unit));
    text = unit.startsWith("漢") ? text.repeat(1000) : text;
    List<Passage> made = passages(text);
    assertThat(made).allMatch(passage -> Chunker.size(passage.text()) <= 2 * Chunker.TARGET);
    assertThat(made.stream().mapToInt(passage -> passage.text().length()).sum())
        .isGreaterThanOrEqualTo(text.replace(" ", "").length());
    assertThat(made)
        .allMatch(passage -> passage.text().codePoints().noneMatch(c -> c >= 0xD800 && c < 0xE000));
  }

  @Test
  void a_title_names_the_document_and_the_two_nearest_headings() {
    Section deep = new Section(List.of("Guide", "Install", "Linux", "Debian"), List.of("Text."));
    Section own = new Section(List.of("Guide"), List.of("Text."));
    assertThat(new Chunker().passages(new Document("g.md", "Guide", List.of(deep, own))))
        .extracting(Passage::title)
        .containsExactly("Guide › Linux › Debian", "Guide");
  }
}
