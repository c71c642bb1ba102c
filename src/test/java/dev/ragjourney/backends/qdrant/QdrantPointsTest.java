package dev.ragjourney.backends.qdrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.Passage;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QdrantPointsTest {
  private static final QdrantCollection COLLECTION =
      QdrantCollection.named(URI.create("http://q"), "c");

  @Test
  void ids_are_whole_numbers_up_to_64_bits_or_texts() throws Exception {
    assertThat(
            passages(
                """
                [{"id":18446744073709551615,"score":0.9,"payload":{"content":"a","title":"A"}},
                 {"id":"9c27a4f0-aaaa-bbbb-cccc-000000000001","score":0.8,"payload":{"content":"b"}}]""",
                5))
        .containsExactly(
            new Passage("18446744073709551615", "A", "a", 0.9),
            new Passage("9c27a4f0-aaaa-bbbb-cccc-000000000001", "", "b", 0.8));
  }

  @Test
  void distances_are_turned_round_so_that_the_larger_score_is_the_better_one() throws Exception {
    assertThat(
            passages(
                """
                [{"id":1,"score":0.25,"payload":{"content":"near"}},
                 {"id":2,"score":4,"payload":{"content":"far"}}]""",
                5))
        .containsExactly(new Passage("1", "", "near", -0.25), new Passage("2", "", "far", -4));
  }

  @Test
  void passages_come_best_first_in_whatever_order_the_points_do() throws Exception {
    assertThat(
            passages(
                """
                [{"id":1,"score":0.5,"payload":{"content":"a"}},
                 {"id":2,"score":0.9,"payload":{"content":"b"}},
                 {"id":3,"score":0.1,"payload":{"content":"c"}}]""",
                5))
        .extracting(Passage::id)
        .containsExactly("2", "1", "3");
  }

  @Test
  void more_points_than_were_asked_for_are_left_out() throws Exception {
    assertThat(
            passages(
                """
                [{"id":1,"score":3,"payload":{"content":"a"}},
                 {"id":2,"score":2,"payload":{"content":"b"}}]""",
                1))
        .extracting(Passage::id)
        .containsExactly("1");
  }

  @ParameterizedTest(name = "{0} is invalid: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          {}                                                             | the answer has no list "result.points"
          []                                                             | the answer has no list "result.points"
          {"result":[{"id":1,"score":1}]}                                | the answer has no list "result.points"
          {"result":{"points":{}}}                                       | the answer has no list "result.points"
          {"status":{"error":"key sk-1 is wrong"},"result":{"points":[]}} | an error with status 200
          {"result":{"points":[7]}}                                      | result.points[0].id is neither a whole number nor a text
          {"result":{"points":[{"id":1.5,"score":1}]}}                   | result.points[0].id is neither a whole number nor a text
          {"result":{"points":[{"id":1,"score":"1"}]}}                   | result.points[0].score is no finite number
          {"result":{"points":[{"id":1,"score":1}]}}                     | result.points[0].payload has no text in "content": see contentField
          {"result":{"points":[{"id":1,"score":1,"payload":null}]}}      | result.points[0].payload has no text in "content": see contentField
          {"result":{"points":[{"id":1,"score":1,"payload":{"content":["a"]}}]}} | result.points[0].payload has no text in "content": see contentField
          {"result":{"points":[{"id":1,"score":1,"payload":{"content":" "}}]}} | result.points[0].payload has no text in "content": see contentField
          """)
  void shapes(String answer, String message) {
    assertThatThrownBy(
            () ->
                new QdrantPoints("docs", COLLECTION)
                    .passages(new ObjectMapper().readTree(answer), 5))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).isEqualTo(Kind.INVALID_ANSWER))
        .hasMessage("docs: " + message);
  }

  private static List<Passage> passages(String points, int topK) throws Exception {
    return new QdrantPoints("docs", COLLECTION)
        .passages(
            new ObjectMapper()
                .readTree("{\"result\":{\"points\":" + points + "},\"status\":\"ok\"}"),
            topK)
        .passages();
  }
}
