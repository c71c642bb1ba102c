package dev.ragjourney.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HybridSearchTest {
  private static final String PARAPHRASE = "What happens to holidays I did not take?";

  private static HouseRules rules;
  private static HybridSearch search;

  @BeforeAll
  static void index() throws Exception {
    rules = new HouseRules();
    search = new HybridSearch(() -> rules.index);
  }

  @AfterAll
  static void close() throws Exception {
    rules.close();
  }

  private static float[] vector(String text) throws Exception {
    return rules.vectors.question(Calls.patient(), text).pooled();
  }

  private static List<Passage> found(String text, int topK, boolean keywordOnly) throws Exception {
    SearchQuery query = new SearchQuery(text, vector(text), topK, keywordOnly);
    return search.search(Calls.patient(), query).passages();
  }

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource({
    "My notebook was taken from my bag, laptop.txt#1",
    "I have a fever and cannot come, sick.txt#1",
    "How much may a room cost?, travel.txt#1",
    "encrypted disk, laptop.txt#1",
  })
  void the_right_passage_is_among_the_first_two(String question, String id) throws Exception {
    assertThat(found(question, 2, false)).extracting(Passage::id).contains(id);
  }

  @Test
  void words_alone_miss_a_paraphrase_that_the_vector_finds() throws Exception {
    assertThat(found(PARAPHRASE, 5, true)).extracting(Passage::id).doesNotContain("leave.txt#1");
    assertThat(found(PARAPHRASE, 1, false)).extracting(Passage::id).containsExactly("leave.txt#1");
  }

  @Test
  void without_a_vector_the_search_is_by_words() throws Exception {
    SearchQuery query = new SearchQuery("stolen LAPTOPS", null, 5, false);
    assertThat(search.search(Calls.patient(), query).passages())
        .extracting(Passage::id)
        .containsExactly("laptop.txt#1");
  }

  @Test
  void scores_fall_and_no_more_passages_come_than_asked_for() throws Exception {
    for (int topK : new int[] {0, 1, 3, 1000}) {
      List<Passage> found = found("days of leave and doctor's note", topK, false);
      assertThat(found.size()).isLessThanOrEqualTo(Math.min(topK, HouseRules.ALL.size()));
      assertThat(found)
          .extracting(Passage::score)
          .isSortedAccordingTo((a, b) -> Double.compare(b, a))
          .allMatch(score -> score > 0 && score <= 2.0 / 61);
    }
  }

  @Test
  void what_is_about_something_else_altogether_is_not_found_by_its_vector() throws Exception {
    assertThat(found("xylophone zymurgy quasar", 5, false)).isEmpty();
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(
      strings = {
        "",
        " \n\t ",
        "the of and",
        "title:leave AND (text:* OR NOT [a TO z])^99999",
        "\"unclosed phrase",
        "leave~2 l?ave le* /le[av]e/ +days -days && || ! \\",
        "\0\u0001\uFFFF \ud800 \udc00",
        "😀 漢字 اللغة",
        "<script>alert('x')</script>; DROP TABLE passages; --",
        "a",
      })
  void any_text_is_only_words(String text) throws Exception {
    assertThat(found(text, 3, true)).hasSizeLessThanOrEqualTo(3);
    assertThat(found(text, 3, false)).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void an_empty_question_without_a_vector_finds_nothing() throws Exception {
    SearchQuery query = new SearchQuery("", null, 5, false);
    assertThat(search.search(Calls.patient(), query).passages()).isEmpty();
  }

  @Test
  void a_question_of_a_megabyte_counts_by_its_first_words() throws Exception {
    StringBuilder text = new StringBuilder("stolen laptop ");
    for (int i = 0; text.length() < 1 << 20; i++) {
      text.append("word").append(i).append(' ');
    }
    assertThat(found(text.toString(), 1, true))
        .extracting(Passage::id)
        .containsExactly("laptop.txt#1");
    assertThat(QuestionTerms.of(EmbeddedIndex.ANALYZER, text.toString()))
        .hasSize(QuestionTerms.MOST_TERMS);
  }

  @Test
  void a_vector_of_another_model_is_refused_with_both_dimensions() {
    assertThatThrownBy(() -> withVector(new float[1536]))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("1536")
        .hasMessageContaining("384")
        .extracting(e -> ((BackendException) e).kind())
        .isEqualTo(BackendException.Kind.REFUSED);
    float[] broken = new float[384];
    Arrays.fill(broken, Float.NaN);
    assertThatThrownBy(() -> withVector(broken)).hasMessageContaining("not finite");
  }

  private static void withVector(float[] vector) throws Exception {
    search.search(Calls.patient(), new SearchQuery("leave", vector, 3, false));
  }

  @Test
  void a_vector_of_zeros_finds_by_words_only() throws Exception {
    SearchQuery query = new SearchQuery("laptop", new float[384], 5, false);
    assertThat(search.search(Calls.patient(), query).passages())
        .extracting(Passage::id)
        .containsExactly("laptop.txt#1");
  }

  @Test
  void a_call_whose_time_is_up_is_cut_and_never_looks_like_an_empty_result() throws Exception {
    SearchQuery query = new SearchQuery("leave", vector("leave"), 3, false);
    assertThatThrownBy(() -> search.search(Calls.within(Duration.ZERO), query))
        .isInstanceOf(CallCancelledException.class);
    for (boolean keywordOnly : new boolean[] {true, false}) {
      SearchQuery either = new SearchQuery("leave", vector("leave"), 3, keywordOnly);
      for (int checks = 0; checks < 3; checks++) {
        StageCall call = Calls.within(Duration.ofMinutes(1), new Calls.Cutter(checks));
        assertThatThrownBy(() -> search.search(call, either))
            .as("by keyword only: %s, cut at check %s", keywordOnly, checks)
            .isInstanceOf(CallCancelledException.class);
      }
    }
  }
}
