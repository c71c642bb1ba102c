package dev.ragjourney.backends.identity;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("When a token is asked for")
class SignInTimesTest {
  @ParameterizedTest(name = "a token of {0} s is renewed after {1} s")
  @CsvSource({"3600, 3300", "86400, 86100", "600, 300", "60, 30"})
  void five_minutes_before_the_end_or_half_way(long lifetime, long after) {
    Token token = new Token("t", 0, SECONDS.toNanos(lifetime));
    assertThat(token.renewAfterNanos()).isEqualTo(SECONDS.toNanos(after));
  }

  @ParameterizedTest(name = "after {0} failures before, and asked to wait {1} s: {2} s")
  @CsvSource({"0, 0, 1", "1, 0, 2", "5, 0, 32", "60, 0, 32", "0, 20, 20", "5, 20, 32"})
  void again_after_a_failure(int failures, long asked, long wait) {
    assertThat(SignIn.retryAfterNanos(failures, SECONDS.toNanos(asked)))
        .isEqualTo(SECONDS.toNanos(wait));
  }

  @ParameterizedTest(name = "a token of an hour, {0} s later, holds: {1}")
  @CsvSource({"3599, true", "3600, false"})
  void it_holds_until_its_end(long later, boolean holds) {
    Token token = new Token("t", 7, SECONDS.toNanos(3600));
    assertThat(token.holds(7 + SECONDS.toNanos(later))).isEqualTo(holds);
  }
}
