package dev.ragjourney.telemetry;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.Optional;

/** OpenTelemetry by its own environment variables. */
public final class Otlp {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  private static final String DISABLED = "OTEL_SDK_DISABLED";

  private Otlp() {}

  /**
   * Spans over OTLP/HTTP where an endpoint is named, else nothing at all: no thread, no exporter
   * that retries towards an address nobody listens on.
   *
   * @param environment the process's
   */
  public static Optional<OpenTelemetrySdk> fromEnvironment(Map<String, String> environment) {
    boolean named =
        !environment.getOrDefault(ENDPOINT, "").isBlank()
            || !environment.getOrDefault(TRACES_ENDPOINT, "").isBlank();
    if (!named || Boolean.parseBoolean(environment.get(DISABLED))) {
      return Optional.empty();
    }
    return Optional.of(
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(
                () ->
                    Map.of(
                        "otel.service.name", "ragjourney",
                        "otel.exporter.otlp.protocol", "http/protobuf",
                        "otel.metrics.exporter", "none",
                        "otel.logs.exporter", "none"))
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk());
  }
}
