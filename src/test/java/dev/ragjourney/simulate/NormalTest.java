package dev.ragjourney.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalTest {
  /** Of published tables, to 10 digits. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "0, 0.5",
    "1, 0.8413447461",
    "-1, 0.1586552539",
    "1.644853627, 0.95",
    "3, 0.9986501020",
    "-5, 0.0000002867",
    "-8, 0.0000000000",
    "40, 1"
  })
  void the_distribution_is_that_of_the_tables(double x, double share) {
    assertThat(Normal.distribution(x)).isCloseTo(share, within(1e-9));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(doubles = {1e-12, 1e-4, 0.02, 0.03, 0.3, 0.5, 0.7, 0.97, 0.98, 0.9999, 1 - 1e-9})
  void a_quantile_is_where_the_distribution_has_the_share(double share) {
    double x = Normal.quantile(share);
    assertThat(Normal.distribution(x)).isCloseTo(share, within(1e-12));
  }
}
