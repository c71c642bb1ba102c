package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.rebalance.JourneyId;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorMetricsTest {
  private final CollectorRegistry registry = new CollectorRegistry();
  private final OperatorMetrics metrics = new OperatorMetrics(registry);

  @Test
  void of_a_journey_that_is_gone_no_series_is_left() {
    JourneyId faq = new JourneyId("shop", "faq");
    JourneyId other = new JourneyId("shop", "other");
    metrics.moved(faq, "P95Headroom", false);
    metrics.moved(faq, "P95Headroom", true);
    metrics.moved(faq, "MaxQuality", false);
    metrics.moved(other, "MaxQuality", true);

    metrics.forget(faq);

    assertThat(moves())
        .singleElement()
        .satisfies(
            sample ->
                assertThat(sample.labelValues)
                    .containsExactly("shop", "other", "MaxQuality", "rolled_back"));
  }

  private List<Collector.MetricFamilySamples.Sample> moves() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .flatMap(family -> family.samples.stream())
        .filter(sample -> sample.name.equals("ragjourney_rebalance_moves_total"))
        .toList();
  }
}
