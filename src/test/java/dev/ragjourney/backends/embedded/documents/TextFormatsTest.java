package dev.ragjourney.backends.embedded.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.backends.embedded.documents.Document.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextFormatsTest {
  private static Section section(List<String> headings, String... paragraphs) {
    return new Section(headings, List.of(paragraphs));
  }

  @Test
  void html_gives_headings_paragraphs_lists_and_tables_and_leaves_navigation_out()
      throws IOException {
    String page =
        """
        <html><head><title> The  guide </title><style>p {}</style></head><body>
        <nav>Home</nav><div class="navheader">Next</div><div class="toc">Contents</div>
        <h1>Start</h1>Loose text.<p>First <b>bold</b> word&nbsp;here.<p>Second.
        <h2>Lists</h2><ul><li>one<li><p>two</p></ul><pre>a  =  1</pre>
        <table><tr><th>Name</th><td>Ada</td></tr></table>
        <script>alert(1)</script><footer>Imprint</footer></body></html>
        """;
    Document document = HtmlText.parse("g.html", "g.html", page.getBytes(UTF_8));
    assertThat(document.title()).isEqualTo("The guide");
    assertThat(document.sections())
        .containsExactly(
            section(List.of("Start"), "Loose text.", "First bold word here.", "Second."),
            section(List.of("Start", "Lists"), "one", "two", "a = 1", "Name Ada"));
  }

  @Test
  void html_is_decoded_as_the_page_says() throws IOException {
    String page = "<meta charset=iso-8859-1><p>Zürich";
    Document document = HtmlText.parse("z.html", "z.html", page.getBytes(ISO_8859_1));
    assertThat(document.title()).isEqualTo("z.html");
    assertThat(document.sections()).containsExactly(section(List.of(), "Zürich"));
  }

  @Test
  void markdown_gives_text_without_its_marks() {
    String text =
        """
        Intro with a [link](https://example.org) and `code`.

        # Leave
        You get *25* days.
        Carry over [ends](x) in March.

        ## Who
        - staff
        - interns
          after a year

        | Year | Days |
        |---|---|
        | 2026 | 25 |

        ```sh
        request --days 3
        ```
        """;
    Document document = MarkdownText.parse("leave.md", "leave.md", text);
    assertThat(document.title()).isEqualTo("Leave");
    assertThat(document.sections())
        .containsExactly(
            section(List.of(), "Intro with a link and code."),
            section(List.of("Leave"), "You get 25 days. Carry over ends in March."),
            section(
                List.of("Leave", "Who"),
                "staff",
                "interns after a year",
                "Year Days",
                "2026 25",
                "request --days 3"));
  }

  @Test
  void markdown_front_matter_names_the_title_and_is_not_text() {
    String text = "---\ntitle: \"Travel policy\"\ndraft: true\n---\nBook early.\n";
    Document document = MarkdownText.parse("t.md", "t.md", text);
    assertThat(document.title()).isEqualTo("Travel policy");
    assertThat(document.sections()).containsExactly(section(List.of(), "Book early."));
  }

  @Test
  void plain_text_has_headings_where_a_line_is_underlined_or_stands_alone() {
    String text =
        """
        The handbook

        Welcome to the house.
        Please wipe your feet.

        Opening hours
        -------------
        From nine to five.

        How do I get in?

        Ring the bell.
        """;
    Document document = PlainText.parse("h.txt", "h.txt", text);
    assertThat(document.title()).isEqualTo("The handbook");
    assertThat(document.sections())
        .containsExactly(
            section(List.of("The handbook"), "Welcome to the house. Please wipe your feet."),
            section(List.of("The handbook", "Opening hours"), "From nine to five."),
            section(List.of("The handbook", "How do I get in?"), "Ring the bell."));
  }

  @Test
  void no_line_of_plain_text_is_lost_when_many_stand_alone() {
    Document document = PlainText.parse("l.txt", "l.txt", "Milk\n\nBread\n\nButter");
    assertThat(document.title()).isEqualTo("Milk");
    List<String> all = new ArrayList<>();
    for (Section section : document.sections()) {
      all.addAll(section.headings());
      all.addAll(section.paragraphs());
    }
    assertThat(all).contains("Milk", "Bread", "Butter");
  }

  @Test
  void plain_text_without_a_short_first_line_is_called_like_its_file() {
    String text = "word ".repeat(40);
    assertThat(PlainText.parse("w.txt", "w.txt", text).title()).isEqualTo("w.txt");
  }

  @Test
  void each_line_of_jsonl_is_a_document_and_a_bad_one_is_named() {
    String text =
        """
        {"id": "a", "title": "Alpha", "text": "First."}
        {"text": "Second."}

        {"id": 7, "text": "Third."}
        {"text": "cut
        ["not", "an", "object"]
        {"title": "No text"}
        {"text": "  "}
        {"id": {"a": 1}, "text": "x"}
        """;
    List<DocumentProblem> problems = new ArrayList<>();
    List<Document> documents = JsonLines.parse("f.jsonl", "f.jsonl", text, problems);
    assertThat(documents)
        .extracting(Document::source, Document::title)
        .containsExactly(
            tuple("f.jsonl/a", "Alpha"),
            tuple("f.jsonl", "f.jsonl"),
            tuple("f.jsonl/7", "f.jsonl"));
    assertThat(problems)
        .extracting(DocumentProblem::toString)
        .satisfiesExactly(
            p -> assertThat(p).startsWith("f.jsonl:5: is not JSON at column"),
            p -> assertThat(p).startsWith("f.jsonl:6: is a JSON array, not an object"),
            p -> assertThat(p).startsWith("f.jsonl:7: has no field text"),
            p -> assertThat(p).startsWith("f.jsonl:8: has a field text without text in it"),
            p -> assertThat(p).startsWith("f.jsonl:9: has a field id that is a JSON object"));
    assertThat(problems.getFirst().message()).contains("a line is {\"id\"").doesNotContain("cut");
  }

  @Test
  void a_file_full_of_bad_lines_gives_a_bounded_number_of_problems() {
    List<DocumentProblem> problems = new ArrayList<>();
    assertThat(JsonLines.parse("f.jsonl", "f.jsonl", "oops\n".repeat(500), problems)).isEmpty();
    assertThat(problems).hasSize(21);
    assertThat(problems.getLast().message()).startsWith("500 of its lines");
  }
}
