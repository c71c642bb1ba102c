package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusEnvironmentTest {
  @Test
  void without_a_url_there_is_no_server() {
    assertThat(PrometheusEnvironment.read(Map.of())).isNull();
    assertThat(PrometheusEnvironment.read(Map.of("RAGJOURNEY_PROMETHEUS_TOKEN_FILE", "/t")))
        .isNull();
  }

  @Test
  void everything_can_be_told() {
    PrometheusSettings settings =
        PrometheusEnvironment.read(
            Map.of(
                "RAGJOURNEY_PROMETHEUS_URL", " https://thanos/base ",
                "RAGJOURNEY_PROMETHEUS_USERNAME_FILE", "/etc/p/username",
                "RAGJOURNEY_PROMETHEUS_PASSWORD_FILE", "/etc/p/password",
                "RAGJOURNEY_PROMETHEUS_CA_FILE", "/etc/p/ca.crt",
                "RAGJOURNEY_PROMETHEUS_MATCHERS", "cluster=\"eu\"\n\n tenant=\"a\"\n",
                "RAGJOURNEY_PROMETHEUS_TIMEOUT", "12s",
                "RAGJOURNEY_PROMETHEUS_MAX_RESPONSE_MIB", "256"));

    assertThat(settings)
        .isEqualTo(
            PrometheusSettings.of(URI.create("https://thanos/base"))
                .withBasicAuth(
                    new PrometheusSettings.BasicAuth(
                        Path.of("/etc/p/username"), Path.of("/etc/p/password")))
                .withCaFile(Path.of("/etc/p/ca.crt"))
                .withExtraMatchers(java.util.List.of("cluster=\"eu\"", "tenant=\"a\""))
                .withTimeout(Duration.ofSeconds(12))
                .withMaxResponseBytes(268_435_456));
    assertThat(
            PrometheusEnvironment.read(
                    Map.of(
                        "RAGJOURNEY_PROMETHEUS_URL", "http://p",
                        "RAGJOURNEY_PROMETHEUS_TOKEN_FILE", "/var/token"))
                .bearerTokenFile())
        .isEqualTo(Path.of("/var/token"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a url without a scheme | URL=prom:9090 | RAGJOURNEY_PROMETHEUS_URL: Prometheus URL must look like http://host:9090",
        "a user without a password | URL=http://p USERNAME_FILE=/u | RAGJOURNEY_PROMETHEUS_USERNAME_FILE and RAGJOURNEY_PROMETHEUS_PASSWORD_FILE are needed both",
        "a token and a password | URL=http://p TOKEN_FILE=/t USERNAME_FILE=/u PASSWORD_FILE=/p | not both",
        "a matcher without quotes | URL=http://p MATCHERS=a=b | RAGJOURNEY_PROMETHEUS_MATCHERS: extra matcher must look like",
        "a timeout in numbers | URL=http://p TIMEOUT=5 | RAGJOURNEY_PROMETHEUS_TIMEOUT: '5' has no unit",
        "a size with a unit | URL=http://p MAX_RESPONSE_MIB=64Mi | RAGJOURNEY_PROMETHEUS_MAX_RESPONSE_MIB: '64Mi' is no size",
        "no time at all | URL=http://p TIMEOUT=0s | RAGJOURNEY_PROMETHEUS_TIMEOUT: '0s' is zero",
      })
  void what_is_wrong_is_told_with_the_variable(String name, String given, String message) {
    Map<String, String> environment =
        Arrays.stream(given.split(" "))
            .map(entry -> entry.split("=", 2))
            .collect(Collectors.toMap(pair -> "RAGJOURNEY_PROMETHEUS_" + pair[0], pair -> pair[1]));

    assertThatThrownBy(() -> PrometheusEnvironment.read(environment))
        .as(name)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
