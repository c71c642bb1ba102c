package dev.ragjourney.cli;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.prometheus.PrometheusEnvironment;
import dev.ragjourney.prometheus.PrometheusLatencySource;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Prometheus says of a window.
 *
 * @param about for a person
 */
record LiveReading(LatencyReading.Whole reading, String about) {
  static LiveReading read(
      PrometheusSettings settings, JourneyId id, Instant to, Duration window, Duration interval) {
    try (PrometheusLatencySource source = new PrometheusLatencySource(settings)) {
      return new LiveReading(
          source.read(to, window, interval, Set.of(id)).about(id),
          "of the %s until %s, from %s"
              .formatted(Durations.formatRounded(window), to, settings.url()));
    }
  }

  /**
   * @throws CommandFailedException if none is given
   */
  static PrometheusSettings needed(@Nullable PrometheusSettings settings) {
    if (settings == null) {
      throw new CommandFailedException(
          "no Prometheus is named; give --prometheus URL or set " + PrometheusEnvironment.URL);
    }
    return settings;
  }

  /**
   * @throws CommandFailedException if Prometheus gave nothing
   */
  LatencyReading.Measured measured() {
    return switch (reading) {
      case LatencyReading.Measured measured -> measured;
      case LatencyReading.Unavailable(String reason, String message) ->
          throw new CommandFailedException(reason + ": " + message);
    };
  }
}
