package dev.ragjourney.backends.embedded.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentencesTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "two sentences are two | The first one is long enough. The second one is as well. | 2",
        "an abbreviation ends none | The potato toy was of course Mr. Potato of the film. | 1",
        "a short piece joins the next | No. That would be quite a mistake to make. | 1",
        "a blank line ends one | Install the package with apt\\n\\napt install foo | 2",
        "a version number ends none | The kernel was version 2.6.18 at that time already. | 1",
        "white space alone is none | \\n\\n\\n \\n\\n | 0",
      })
  void text_is_divided_where_sentences_end(String name, String text, int count) {
    String raw = text.replace("\\n", "\n");
    List<Sentences.Span> spans = Sentences.spans(raw);
    assertThat(spans).as(name).hasSize(count);
    StringBuilder all = new StringBuilder();
    spans.forEach(span -> all.append(span.of(raw)));
    assertThat(all.toString().replaceAll("\\s", "")).isEqualTo(raw.replaceAll("\\s", ""));
  }
}
