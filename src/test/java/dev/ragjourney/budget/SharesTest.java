package dev.ragjourney.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
  @ParameterizedTest(name = "{0} is the ratio {1}")
  @CsvSource({"5%, 0.05", "0.5%, 0.005", "100%, 1.0", "0%, 0.0", "92%, 0.92", "12.3456%, 0.123456"})
  void a_share_and_its_ratio_are_exactly_each_other(String text, double ratio) {
    assertThat(Shares.parse(text)).isEqualTo(ratio);
    assertThat(Shares.format(ratio)).isEqualTo(text);
  }

  @ParameterizedTest(name = "''{0}'' is refused")
  @ValueSource(strings = {"", "5", "5 %", "-5%", ".5%", "5.%", "0.05", "5%%", "1e1%", "0.12345%"})
  void what_is_no_percentage_is_refused(String text) {
    assertThatThrownBy(() -> Shares.parse(text))
        .hasMessage(
            "'" + text + "' is not a share; write a percentage from 0% to 100%, like 5% or 0.5%.");
  }

  @Test
  void more_than_the_whole_is_refused() {
    assertThatThrownBy(() -> Shares.parse("100.1%"))
        .hasMessage("'100.1%' is more than the whole; 100% is the most.");
    assertThatThrownBy(() -> Shares.format(1.01)).hasMessage("1.01 is not a ratio from 0 to 1.");
    assertThatThrownBy(() -> Shares.format(Double.NaN))
        .hasMessage("NaN is not a ratio from 0 to 1.");
  }

  @Test
  void a_computed_ratio_is_written_without_noise() {
    assertThat(Shares.format(0.1 + 0.2)).isEqualTo("30%");
    assertThat(Shares.format(1.0 / 3)).isEqualTo("33.3333%");
  }
}
