package dev.ragjourney.support.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluatorTest {
  private final SampleStore store = new SampleStore(3_600_000);

  @Test
  void an_increase_is_extrapolated_to_ends_that_are_near() {
    counter(Map.of(), 1_000, 100, 110, 120, 130);

    // 30 in the 3 s from 1 to 4 s; 0.5 s on either side are near.
    assertThat(at("increase(c[4s])", 4_500).get(Map.of())).isCloseTo(40, within(1e-9));
  }

  @Test
  void an_increase_reaches_half_an_interval_to_ends_that_are_far() {
    counter(Map.of(), 10_000, 100, 110, 120);

    assertThat(at("increase(c[20s])", 22_000).get(Map.of())).isCloseTo(30, within(1e-9));
  }

  @Test
  void an_increase_does_not_begin_before_the_counter_was_zero() {
    counter(Map.of(), 1_000, 0, 10, 20);

    assertThat(at("increase(c[3s])", 3_000).get(Map.of())).isCloseTo(20, within(1e-9));
  }

  @Test
  void a_fall_is_a_new_begin_at_zero() {
    counter(Map.of(), 0, 100, 110, 5, 15);

    assertThat(at("increase(c[3s])", 3_000).get(Map.of())).isCloseTo(25, within(1e-9));
  }

  @Test
  void one_sample_is_no_increase() {
    counter(Map.of(), 0, 100);

    assertThat(at("increase(c[3s])", 1_000)).isEmpty();
  }

  @Test
  void sums_maxima_and_minima_are_taken_by_labels() {
    counter(Map.of("a", "1", "b", "1"), 0, 0, 10);
    counter(Map.of("a", "1", "b", "2"), 0, 0, 30);
    counter(Map.of("a", "2"), 0, 0, 5);

    assertThat(at("sum by (a) (increase(c[1s]))", 1_000))
        .isEqualTo(Map.of(Map.of("a", "1"), 40.0, Map.of("a", "2"), 5.0));
    assertThat(at("max by (a) (increase(c[1s]))", 1_000).get(Map.of("a", "1"))).isEqualTo(30);
    assertThat(at("min by (a) (increase(c[1s]))", 1_000).get(Map.of("a", "1"))).isEqualTo(10);
  }

  @Test
  void series_are_counted_by_labels() {
    counter(Map.of("a", "1", "b", "1"), 0, 7);
    counter(Map.of("a", "1", "b", "2"), 0, 7);
    counter(Map.of("a", "2"), 0, 7);

    assertThat(at("count by (a) (c)", 1_000))
        .isEqualTo(Map.of(Map.of("a", "1"), 2.0, Map.of("a", "2"), 1.0));
  }

  @Test
  void the_newest_sample_has_a_time_of_its_own_and_is_none_after_five_minutes() {
    counter(Map.of(), 1_500, 100, 110);

    assertThat(at("c", 60_000)).isEqualTo(Map.of(Map.of(), 110.0));
    assertThat(at("timestamp(c)", 60_000)).isEqualTo(Map.of(Map.of(), 2.5));
    assertThat(at("c", 302_501)).isEmpty();
  }

  @Test
  void not_equal_keeps_nan_and_drops_the_value() {
    counter(Map.of("a", "0"), 0, 7, 7);
    counter(Map.of("a", "nan"), 0, 7, Double.NaN);

    assertThat(at("increase(c[1s]) != 0", 1_000).keySet()).containsExactly(Map.of("a", "nan"));
  }

  @Test
  void a_label_is_replaced_where_the_whole_other_label_matches() {
    counter(Map.of("pod", "a"), 0, 0, 1);
    counter(Map.of("other", "b"), 0, 0, 1);

    assertThat(
            at("label_replace(increase(c[1s]), \"p\", \"$1\", \"pod\", \"(.+)\")", 1_000).keySet())
        .containsExactlyInAnyOrder(Map.of("pod", "a", "p", "a"), Map.of("other", "b"));
  }

  @Test
  void series_that_become_alike_are_an_error() {
    counter(Map.of("a", "1"), 0, 0, 1);
    counter(Map.of("a", "2"), 0, 0, 1);

    assertThatThrownBy(
            () -> at("label_replace(increase(c[1s]), \"a\", \"\", \"a\", \".*\")", 1_000))
        .hasMessageContaining("same labelset");
  }

  @Test
  void matchers_take_an_absent_label_for_an_empty_one() {
    counter(Map.of("a", "1"), 0, 0, 1);
    counter(Map.of("b", "1"), 0, 0, 1);

    assertThat(at("increase(c{a=\"1\"}[1s])", 1_000).keySet()).containsExactly(Map.of("a", "1"));
    assertThat(at("increase(c{a!=\"1\"}[1s])", 1_000).keySet()).containsExactly(Map.of("b", "1"));
    assertThat(at("increase(c{a=~\"|2\"}[1s])", 1_000).keySet()).containsExactly(Map.of("b", "1"));
    assertThat(at("increase(c{a!~\".+\"}[1s])", 1_000).keySet()).containsExactly(Map.of("b", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "increase(c)",
        "avg by (a) (increase(c[1s]))",
        "increase(c[1s]",
        "1 + 1",
        "increase(c[1x])",
        "increase(c[1s]) > 0",
        "increase(c{a=~\"(\"}[1s])"
      })
  void what_it_does_not_know_it_refuses(String query) {
    assertThatThrownBy(() -> at(query, 1_000)).isInstanceOf(IllegalArgumentException.class);
  }

  private void counter(Map<String, String> labels, long firstMillis, double... values) {
    for (int i = 0; i < values.length; i++) {
      store.add("c", labels, firstMillis + i * 1_000L, values[i]);
    }
  }

  private Map<Map<String, String>, Double> at(String query, long millis) {
    return new Evaluator(store).at(ExpressionParser.parse(query), millis);
  }
}
