package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.chart.Expressions;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What dashboards and alerts ask of the operator is what an operator at work tells. */
class OperatorDashboardIT {
  @Test
  void every_metric_and_label_of_dashboards_and_alerts_is_in_the_operators_scrape()
      throws IOException {
    List<String> expressions = new ArrayList<>(Expressions.ofDashboards());
    expressions.addAll(Expressions.ofAlerts());
    Set<String> named = Expressions.named(expressions);
    named.removeIf(each -> each.startsWith("rag_"));

    assertThat(named).hasSizeGreaterThan(10);
    assertThat(scrape()).containsAll(named);
  }

  private static Set<String> scrape() throws IOException {
    try (OperatorHarness operator = new OperatorHarness().start()) {
      DefaultExports.register(operator.registry);
      operator.apply(OperatorHarness.MINIMAL);
      operator.ready("faq");
      operator.round();
      operator.awaitCondition("faq", "MetricsAvailable", "False/NoTraffic");
      StringWriter text = new StringWriter();
      TextFormat.write004(text, operator.registry.metricFamilySamples());
      return Expressions.scraped(text.toString());
    }
  }
}
