package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixParserTest {
  private static final String ANSWER =
      """
      {"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"journey":"faq","le":"+Inf"},
         "values":[[1700000000.123,"1.5"],[1700000300,"NaN"],[1700000600,"+Inf"]]},
        {"metric":{},"values":[[1700000000,"-Inf"]]}]}}
      """;

  private record Series(Map<String, String> labels, List<Long> millis, List<Double> values) {}

  @Test
  void series_come_with_labels_times_in_milliseconds_and_every_kind_of_value() throws Exception {
    assertThat(parse(ANSWER))
        .containsExactly(
            new Series(
                Map.of("journey", "faq", "le", "+Inf"),
                List.of(1700000000123L, 1700000300000L, 1700000600000L),
                List.of(1.5, Double.NaN, Double.POSITIVE_INFINITY)),
            new Series(Map.of(), List.of(1700000000000L), List.of(Double.NEGATIVE_INFINITY)));
  }

  @Test
  void an_empty_result_is_no_data_and_no_error() throws Exception {
    assertThat(parse("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}"))
        .isEmpty();
  }

  @Test
  void fields_may_come_in_any_order_and_unknown_ones_are_passed_over() throws Exception {
    assertThat(
            parse(
                """
                {"stats":{"a":[1,{}]},"data":{"result":[{"histograms":[[1,{}]],
                "values":[[1,"2"]],"metric":{"a":"b"}}],"resultType":"matrix"},
                "infos":["x"],"warnings":[],"status":"success"}
                """))
        .containsExactly(new Series(Map.of("a", "b"), List.of(1000L), List.of(2.0)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "an error | {\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"} "
            + "| the server says bad_data: parse error",
        "warnings | {\"status\":\"success\",\"warnings\":[\"store eu is away\"],"
            + "\"data\":{\"resultType\":\"matrix\",\"result\":[]}} "
            + "| the answer is incomplete: store eu is away",
        "a partial answer | {\"status\":\"success\",\"isPartial\":true,"
            + "\"data\":{\"resultType\":\"matrix\",\"result\":[]}} "
            + "| the answer is incomplete: the server calls its answer partial",
        "a vector | {\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}} "
            + "| the answer is no matrix",
        "another JSON | {\"hello\":1} "
            + "| the answer has no status; is this Prometheus' HTTP API?",
        "no data | {\"status\":\"success\",\"data\":null} | the answer is no matrix",
        "a page | <html> | the answer is no valid JSON",
        "nothing | `` | the answer has not the shape of a range query's: it ends",
        "an array | [] " + "| the answer has not the shape of a range query's: START_ARRAY",
        "a value that is no number | {\"data\":{\"result\":[{\"values\":[[1,\"1,5\"]]}]}} "
            + "| the answer has a value that is no number: 1,5",
        "a value without quotes | {\"data\":{\"result\":[{\"values\":[[1,2]]}]}} "
            + "| VALUE_NUMBER_INT at /data/result/0/values/0/1",
        "a time that is no number | {\"data\":{\"result\":[{\"values\":[[\"x\",\"2\"]]}]}} "
            + "| VALUE_STRING at /data/result/0/values/0/0",
      })
  void what_is_no_data_is_told(String name, String answer, String message) {
    assertThatThrownBy(() -> parse(answer))
        .as(name)
        .isInstanceOf(QueryFailedException.class)
        .hasMessageContaining(message);
  }

  @Test
  void an_answer_that_breaks_off_anywhere_is_an_error_and_never_a_result() {
    byte[] whole = ANSWER.strip().getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < whole.length; length++) {
      InputStream cut = new ByteArrayInputStream(whole, 0, length);
      assertThatThrownBy(() -> MatrixParser.parse(cut, (_, _, _) -> {}))
          .as("after %d bytes", length)
          .isInstanceOfAny(QueryFailedException.class, IOException.class);
    }
  }

  @Test
  void whatever_arrives_the_parser_ends_with_a_result_or_a_checked_error() throws Exception {
    Random random = new Random(3);
    byte[] whole = ANSWER.getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int i = 0; i < 5000; i++) {
      byte[] changed = whole.clone();
      for (int j = 0; j <= random.nextInt(4); j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      try {
        MatrixParser.parse(new ByteArrayInputStream(changed), (_, _, _) -> {});
      } catch (QueryFailedException | IOException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }

  @Test
  void more_bytes_than_allowed_are_an_error() {
    InputStream bounded =
        new BoundedInput(new ByteArrayInputStream(ANSWER.getBytes(StandardCharsets.UTF_8)), 40);

    assertThatThrownBy(() -> MatrixParser.parse(bounded, (_, _, _) -> {}))
        .hasMessage("the answer is longer than 40 bytes");
  }

  @Test
  void of_ten_thousand_series_only_a_buffer_more_than_the_current_one_has_been_read()
      throws Exception {
    LongAnswer answer = new LongAnswer(10_000, 100);
    AtomicInteger series = new AtomicInteger();
    AtomicLong ahead = new AtomicLong();

    MatrixParser.parse(
        answer,
        (_, _, _) ->
            ahead.accumulateAndGet(
                answer.bytes() - answer.lengthOf(series.incrementAndGet()), Math::max));

    assertThat(series).hasValue(10_000);
    assertThat(answer.bytes()).isGreaterThan(20_000_000);
    assertThat(ahead.get()).isLessThan(16_384);
  }

  /** Made while it is read. */
  private static final class LongAnswer extends InputStream {
    private final byte[] head =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{}"
            .getBytes(StandardCharsets.UTF_8);
    private final byte[] one;
    private final byte[] end = "]}}".getBytes(StandardCharsets.UTF_8);
    private final int count;
    private long position;

    LongAnswer(int count, int points) {
      this.count = count;
      one =
          (",{\"metric\":{\"journey\":\"faq\"},\"values\":["
                  + IntStream.range(0, points)
                      .mapToObj(i -> "[%d.123,\"12\"]".formatted(1_700_000_000L + i))
                      .collect(Collectors.joining(","))
                  + "]}")
              .getBytes(StandardCharsets.UTF_8);
    }

    long bytes() {
      return position;
    }

    /** The bytes up to the end of so many series; the empty one at the begin is the first. */
    long lengthOf(int series) {
      return head.length + (long) (series - 1) * one.length;
    }

    @Override
    public int read() {
      long body = position - head.length;
      int next;
      if (body < 0) {
        next = head[(int) position];
      } else if (body < (long) (count - 1) * one.length) {
        next = one[(int) (body % one.length)];
      } else {
        long rest = body - (long) (count - 1) * one.length;
        next = rest < end.length ? end[(int) rest] : -1;
      }
      if (next >= 0) {
        position++;
      }
      return next;
    }
  }

  private static List<Series> parse(String answer) throws IOException, QueryFailedException {
    List<Series> all = new ArrayList<>();
    MatrixParser.parse(
        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
        (labels, millis, values) ->
            all.add(
                new Series(
                    labels,
                    Arrays.stream(millis).boxed().toList(),
                    Arrays.stream(values).boxed().toList())));
    return all;
  }
}
