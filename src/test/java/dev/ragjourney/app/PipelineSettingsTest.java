package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineSettingsTest {
  @Test
  void an_empty_environment_gives_what_a_pod_is_built_for() {
    assertThat(PipelineSettings.from(Map.of("RAGJOURNEY_PORT", " ")))
        .isEqualTo(
            new PipelineSettings(
                Path.of("/etc/ragjourney/plan"),
                Path.of("/var/lib/ragjourney/documents"),
                Path.of("/etc/ragjourney/secrets"),
                "0.0.0.0",
                8080,
                8081,
                256,
                Duration.ofSeconds(3)));
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          RAGJOURNEY_PORT | http | RAGJOURNEY_PORT is 'http'; a whole number from 0 to 65535 is needed.
          RAGJOURNEY_ADMIN_PORT | 70000 | RAGJOURNEY_ADMIN_PORT is '70000'; a whole number from 0 to 65535 is needed.
          RAGJOURNEY_MAX_JOURNEYS | 0 | RAGJOURNEY_MAX_JOURNEYS is '0'; a whole number from 1 to 100000 is needed.
          RAGJOURNEY_SETTLE | 1.5s | RAGJOURNEY_SETTLE: '1.5s' has decimals; write 1s500ms.
          """)
  void an_odd_value_is_refused_with_what_would_be_right(
      String variable, String value, String message) {
    assertThatThrownBy(() -> PipelineSettings.from(Map.of(variable, value))).hasMessage(message);
  }
}
