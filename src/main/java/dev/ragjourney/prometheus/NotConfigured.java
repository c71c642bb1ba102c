package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.LatencySource;
import dev.ragjourney.rebalance.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Stands for a Prometheus where none is configured. */
public final class NotConfigured implements LatencySource {
  @Override
  public LatencyReading read(
      Instant now, Duration window, Duration interval, Set<JourneyId> journeys) {
    return new LatencyReading.Unavailable(
        Reasons.NOT_CONFIGURED, "the operator knows no Prometheus; set RAGJOURNEY_PROMETHEUS_URL");
  }
}
