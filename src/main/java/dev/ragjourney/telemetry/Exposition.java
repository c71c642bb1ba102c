package dev.ragjourney.telemetry;

import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the metrics the way the scraper asks for: Prometheus text 0.0.4 or OpenMetrics 1.0.0. */
public final class Exposition {
  private static final String CREATED = "_created";

  private final PrometheusListener metrics;

  public Exposition(PrometheusListener metrics) {
    this.metrics = metrics;
  }

  /**
   * @param accept the request's header; null where there is none
   */
  public static String contentType(@Nullable String accept) {
    return TextFormat.chooseContentType(accept);
  }

  /**
   * @param contentType from {@link #contentType}
   */
  public void write(Writer writer, String contentType) throws IOException {
    List<MetricFamilySamples> families = new ArrayList<>();
    for (CollectorRegistry registry : metrics.registries()) {
      for (MetricFamilySamples family : Collections.list(registry.metricFamilySamples())) {
        families.add(withoutCreationTimes(family));
      }
    }
    TextFormat.writeFormat(contentType, writer, Collections.enumeration(families));
  }

  /** Creation times are a series for every child, and nothing reads them. */
  private static MetricFamilySamples withoutCreationTimes(MetricFamilySamples family) {
    return new MetricFamilySamples(
        family.name,
        family.unit,
        family.type,
        family.help,
        family.samples.stream().filter(sample -> !sample.name.endsWith(CREATED)).toList());
  }
}
