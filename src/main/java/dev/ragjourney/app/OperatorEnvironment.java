package dev.ragjourney.app;

import dev.ragjourney.operator.OperatorSettings;
import dev.ragjourney.prometheus.PrometheusEnvironment;
import dev.ragjourney.prometheus.PrometheusSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the operator is told by its environment.
 *
 * @param operator how it runs
 * @param prometheus where latencies come from; null for nowhere
 * @param port of health and metrics; 0 picks a free one
 */
record OperatorEnvironment(
    OperatorSettings operator, @Nullable PrometheusSettings prometheus, int port) {
  private static final Duration LOOK_FOR_KINDS = Duration.ofMinutes(1);

  /**
   * @throws IllegalArgumentException naming the variable, the value found and what would be right
   */
  static OperatorEnvironment from(Map<String, String> environment) {
    String image = text(environment, "RAGJOURNEY_IMAGE");
    if (image.isEmpty()) {
      throw new IllegalArgumentException(
          "RAGJOURNEY_IMAGE is not set; it names the image that pipeline pods run.");
    }
    String lease = text(environment, "RAGJOURNEY_LEASE_NAMESPACE");
    return new OperatorEnvironment(
        new OperatorSettings(
            image,
            rollAtOnce(environment),
            namespaces(environment),
            flag(environment, "RAGJOURNEY_ANNOUNCE_PLANS"),
            LOOK_FOR_KINDS,
            lease.isEmpty() ? null : lease),
        PrometheusEnvironment.read(environment),
        Ports.read(environment, "RAGJOURNEY_OPERATOR_PORT", 8080));
  }

  private static Set<String> namespaces(Map<String, String> environment) {
    return Arrays.stream(text(environment, "RAGJOURNEY_NAMESPACES").split(","))
        .map(String::strip)
        .filter(namespace -> !namespace.isEmpty())
        .collect(Collectors.toSet());
  }

  private static int rollAtOnce(Map<String, String> environment) {
    String value = text(environment, "RAGJOURNEY_ROLL_AT_ONCE");
    if (value.isEmpty()) {
      return OperatorSettings.ROLL_AT_ONCE;
    }
    if (value.matches("[1-9]\\d{0,5}")) {
      return Integer.parseInt(value);
    }
    throw new IllegalArgumentException(
        "RAGJOURNEY_ROLL_AT_ONCE is '%s'; a whole number from 1 is needed.".formatted(value));
  }

  private static boolean flag(Map<String, String> environment, String name) {
    return switch (text(environment, name)) {
      case "", "true" -> true;
      case "false" -> false;
      case String other ->
          throw new IllegalArgumentException(
              "%s is '%s'; true or false is needed.".formatted(name, other));
    };
  }

  private static String text(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }
}
