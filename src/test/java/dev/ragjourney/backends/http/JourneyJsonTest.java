package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.Turn;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JourneyJsonTest {
  private static final List<Passage> PASSAGES =
      List.of(new Passage("a", "t", "x", 1), new Passage("b", "t", "y", 2));

  @Test
  void a_search_request_has_the_vector_only_where_it_is_wanted() {
    float[] vector = {0.5f};

    assertThat(JourneyJson.searchRequest(new SearchQuery("q", vector, 3, false), 250))
        .hasToString(
            "{\"question\":\"q\",\"topK\":3,\"keywordOnly\":false,\"vector\":[0.5],\"remainingMs\":250}");
    assertThat(JourneyJson.searchRequest(new SearchQuery("q", vector, 3, true), 250))
        .hasToString("{\"question\":\"q\",\"topK\":3,\"keywordOnly\":true,\"remainingMs\":250}");
    assertThat(JourneyJson.searchRequest(new SearchQuery("q", null, 3, false), 250).has("vector"))
        .isFalse();
  }

  @Test
  void requests_are_spelled_as_documented() {
    assertThat(JourneyJson.rerankRequest("q", PASSAGES.subList(0, 1), 9))
        .hasToString(
            "{\"question\":\"q\",\"passages\":[{\"id\":\"a\",\"title\":\"t\",\"text\":\"x\"}],\"remainingMs\":9}");
    assertThat(JourneyJson.rewriteRequest("q", List.of(), "i", 9))
        .hasToString("{\"question\":\"q\",\"instructions\":\"i\",\"remainingMs\":9}");
    assertThat(
            JourneyJson.rewriteRequest("q", List.of(new Turn(Turn.Speaker.ASSISTANT, "a")), "i", 9))
        .hasToString(
            "{\"question\":\"q\",\"earlier\":[{\"role\":\"assistant\",\"text\":\"a\"}],"
                + "\"instructions\":\"i\",\"remainingMs\":9}");
    assertThat(JourneyJson.embedRequest("q")).hasToString("{\"input\":\"q\"}");
  }

  @Test
  void search_results_are_put_in_order_and_cut_to_what_was_asked_for() throws Exception {
    JsonNode answer =
        json(
            """
            {"passages": [{"id": "a", "text": "x", "score": 1},
                          {"id": "b", "title": "B", "text": "y", "score": 3.5},
                          {"id": "c", "text": "z", "score": 2}]}""");

    assertThat(JourneyJson.searchAnswer("docs", answer, 2).passages())
        .containsExactly(new Passage("b", "B", "y", 3.5), new Passage("c", "", "z", 2));
  }

  @ParameterizedTest(name = "{0} is no search result: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                            | docs: the answer has no list "passages"
          []                                                                            | docs: the answer has no list "passages"
          {"passages": [{"text": "x", "score": 1}]}                                     | docs: passages[0].id is missing or blank
          {"passages": [{"id": "a", "text": " ", "score": 1}]}                          | docs: passages[0].text is missing or blank
          {"passages": [{"id": "a", "text": "x"}]}                                      | docs: passages[0].score is no finite number
          {"passages": [{"id": "a", "text": "x", "score": "1"}]}                        | docs: passages[0].score is no finite number
          {"passages": [{"id": "a", "text": "x", "score": 1e999}]}                      | docs: passages[0].score is no finite number
          {"passages": [{"id": "a", "text": "x", "score": 1}, {"id": "a", "text": "y"}]} | docs: passages[1].id is there already
          {"passages": ["x"]}                                                           | docs: passages[0].id is missing or blank
          """)
  void bad_search_results(String answer, String message) {
    assertInvalid(() -> JourneyJson.searchAnswer("docs", json(answer), 5), message);
  }

  @ParameterizedTest(name = "{0} is no rerank result: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"results": null}                                              | docs: the answer has no list "results"
          {"results": [{"id": "a", "score": 1}]}                         | docs: no result for passage 1 of 2 passages
          {"results": [{"id": "z", "score": 1}]}                         | docs: results[0].id is of no passage that was sent
          {"results": [{"id": "a", "score": 1}, {"id": "a", "score": 2}]} | docs: two results for passage 0
          {"results": [{"id": "a", "score": null}]}                      | docs: results[0].score is no finite number
          """)
  void bad_rerank_results(String answer, String message) {
    assertInvalid(() -> JourneyJson.rerankAnswer("docs", json(answer), PASSAGES), message);
  }

  @Test
  void a_rewritten_question_is_stripped_and_neither_blank_nor_endless() throws Exception {
    assertThat(JourneyJson.rewriteAnswer("docs", json("{\"question\":\" q \"}"))).isEqualTo("q");
    assertInvalid(
        () -> JourneyJson.rewriteAnswer("docs", json("{\"question\":\" \"}")),
        "docs: the answer.question is missing or blank");
    assertInvalid(
        () ->
            JourneyJson.rewriteAnswer("docs", json("{\"question\":\"" + "a".repeat(2001) + "\"}")),
        "docs: a question of 2001 characters, at most 2000");
  }

  private static void assertInvalid(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable work, String message) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).isEqualTo(BackendException.Kind.INVALID_ANSWER))
        .hasMessage(message);
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
