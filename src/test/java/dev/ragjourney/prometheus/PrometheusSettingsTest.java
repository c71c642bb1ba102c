package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusSettingsTest {
  private static final PrometheusSettings PLAIN =
      PrometheusSettings.of(URI.create("http://prometheus:9090"));

  @Test
  void a_query_may_take_twenty_seconds_and_64_mebibytes_an_answer_unless_set() {
    assertThat(PLAIN.timeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(PLAIN.maxResponseBytes()).isEqualTo(67_108_864);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus:9090", "ftp://prometheus", "/metrics", "http:prometheus"})
  void what_is_no_http_url_is_refused(String url) {
    assertThatThrownBy(() -> PrometheusSettings.of(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Prometheus URL must look like http://host:9090");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://me:secret@host", "http://host?x=secret", "http://host#secret"})
  void a_url_is_no_place_for_secrets_and_the_message_does_not_repeat_them(String url) {
    assertThatThrownBy(() -> PrometheusSettings.of(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be without user, query and fragment")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=\"b\"", "cluster=~\"eu|us\"", "a != \"x\\\"y\"", "_b!~\"\""})
  void matchers_are_accepted(String matcher) {
    assertThat(PLAIN.withExtraMatchers(List.of(matcher)).extraMatchers()).containsExactly(matcher);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a=b", "a=\"b\"}", "a=\"b\",c=\"d\"", "1a=\"b\"", "a=\"b\"c\""})
  void text_that_would_break_out_of_a_selector_is_refused(String matcher) {
    assertThatThrownBy(() -> PLAIN.withExtraMatchers(List.of(matcher)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("extra matcher must look like cluster=\"eu\"");
  }
}
