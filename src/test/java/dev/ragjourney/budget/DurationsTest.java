package dev.ragjourney.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
  @ParameterizedTest(name = "{0} is {1} ms")
  @CsvSource({
    "1s, 1000",
    "1s500ms, 1500",
    "0s, 0",
    "00050ms, 50",
    "2h, 7200000",
    "1h2m3s4ms, 3723004",
    "90s, 90000",
    "1ms1s, 1001",
    "99999ms, 99999",
    "99999h, 359996400000"
  })
  void every_legal_spelling_is_read_exactly(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest(name = "''{0}'' is refused: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1.5s | '1.5s' has decimals; write 1s500ms.",
        "0.25h | '0.25h' has decimals; write 15m.",
        "0.5ms | '0.5ms' has decimals; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "-1s | '-1s' has a sign; a duration is never negative and needs none.",
        "+1s | '+1s' has a sign; a duration is never negative and needs none.",
        "\"\" | '' is empty; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "500 | '500' has no unit after 500; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "1s500 | '1s500' has no unit after 500; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "1 s | '1 s' has a blank in it; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "1s 5ms | '1s 5ms' has a blank in it; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "1d | '1d' cannot be read at '1d'; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "5us | '5us' cannot be read at '5us'; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "ms | 'ms' cannot be read at 'ms'; write whole numbers with the units h, m, s or ms, like 1s500ms.",
        "100000ms | '100000ms' has a number of more than 5 digits; use a larger unit.",
        "1h1h1h1h1h | '1h1h1h1h1h' has more than 4 parts; write whole numbers with the units h, m, s or ms, like 1s500ms."
      })
  void every_other_spelling_is_refused_with_a_sentence(String text, String message) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void zero_is_refused_where_a_positive_duration_is_needed() {
    assertThatThrownBy(() -> Durations.parsePositive("0s"))
        .hasMessage("'0s' is zero; at least 1ms is needed here.");
    assertThat(Durations.parsePositive("1ms")).isEqualTo(Duration.ofMillis(1));
  }

  @ParameterizedTest(name = "{0} ms is written {1}")
  @CsvSource({
    "0, 0s",
    "1, 1ms",
    "1500, 1s500ms",
    "60000, 1m",
    "3723004, 1h2m3s4ms",
    "90000, 1m30s"
  })
  void the_shortest_spelling_is_written(long millis, String text) {
    assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void what_has_no_spelling_is_not_written() {
    assertThatThrownBy(() -> Durations.format(Duration.ofMillis(-1)))
        .hasMessageContaining("negative");
    assertThatThrownBy(() -> Durations.format(Duration.ofNanos(1_000_001)))
        .hasMessageContaining("not a whole number of milliseconds");
    assertThatThrownBy(() -> Durations.format(Duration.ofHours(100_000)))
        .hasMessageContaining("longer than 99999 hours");
  }

  @Test
  void measured_values_are_rounded_to_the_nearest_millisecond() {
    assertThat(Durations.formatRounded(Duration.ofNanos(1_499_999))).isEqualTo("1ms");
    assertThat(Durations.formatRounded(Duration.ofNanos(1_500_000))).isEqualTo("2ms");
  }

  @Test
  void parser_and_pattern_agree_on_random_texts_and_every_value_survives_the_round_trip() {
    Pattern pattern = Pattern.compile(Durations.PATTERN);
    Random random = new Random(7);
    String alphabet = "0123456789hmsms.- d";
    int legal = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(9); n >= 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      boolean matches = pattern.matcher(text).matches();
      boolean parses;
      try {
        Duration parsed = Durations.parse(text.toString());
        assertThat(Durations.parse(Durations.format(parsed))).isEqualTo(parsed);
        parses = true;
      } catch (IllegalArgumentException refused) {
        parses = false;
      }
      assertThat(parses).as("'%s'", text).isEqualTo(matches);
      legal += parses ? 1 : 0;
    }
    assertThat(legal).isGreaterThan(250);
  }
}
