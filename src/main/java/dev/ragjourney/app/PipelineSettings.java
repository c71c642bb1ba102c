package dev.ragjourney.app;

import dev.ragjourney.budget.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline pod is told by its environment.
 *
 * @param planDirectory holds {@code plan.json}
 * @param documentsDirectory of the embedded search
 * @param secretsDirectory one folder a Secret, one file a key
 * @param bind address to listen on
 * @param port of journeys
 * @param adminPort of operations alone
 * @param maxJourneys on their way at once
 * @param settle how long new requests are still served after the signal to stop
 */
record PipelineSettings(
    Path planDirectory,
    Path documentsDirectory,
    Path secretsDirectory,
    String bind,
    int port,
    int adminPort,
    int maxJourneys,
    Duration settle) {
  private static final int MAX_PORT = 65_535;

  /**
   * @throws IllegalArgumentException naming the variable, the value found and what would be right
   */
  static PipelineSettings from(Map<String, String> environment) {
    return new PipelineSettings(
        Path.of(text(environment, "RAGJOURNEY_PLAN_DIR", "/etc/ragjourney/plan")),
        Path.of(text(environment, "RAGJOURNEY_DOCUMENTS_DIR", "/var/lib/ragjourney/documents")),
        Path.of(text(environment, "RAGJOURNEY_SECRETS_DIR", "/etc/ragjourney/secrets")),
        text(environment, "RAGJOURNEY_BIND", "0.0.0.0"),
        number(environment, "RAGJOURNEY_PORT", 8080, 0, MAX_PORT),
        number(environment, "RAGJOURNEY_ADMIN_PORT", 8081, 0, MAX_PORT),
        number(environment, "RAGJOURNEY_MAX_JOURNEYS", 256, 1, 100_000),
        duration(environment, "RAGJOURNEY_SETTLE", "3s"));
  }

  private static String text(Map<String, String> environment, String name, String otherwise) {
    String value = environment.getOrDefault(name, "");
    return value.isBlank() ? otherwise : value.strip();
  }

  private static int number(
      Map<String, String> environment, String name, int otherwise, int least, int most) {
    String value = text(environment, name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name, value, least, most, e);
    }
    throw wrong(name, value, least, most, null);
  }

  private static IllegalArgumentException wrong(
      String name, String value, int least, int most, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "%s is '%s'; a whole number from %d to %d is needed.".formatted(name, value, least, most),
        cause);
  }

  private static Duration duration(Map<String, String> environment, String name, String otherwise) {
    try {
      return Durations.parse(text(environment, name, otherwise));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
