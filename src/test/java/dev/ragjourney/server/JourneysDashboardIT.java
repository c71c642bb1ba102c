package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.chart.Expressions;
import dev.ragjourney.chart.HelmChart;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.PodLoad;
import dev.ragjourney.support.Plans;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What dashboards and alerts ask of pods is what a pod tells. */
@Timeout(60)
class JourneysDashboardIT {
  @TempDir Path directory;

  @Test
  void every_metric_and_label_of_the_dashboards_is_in_a_pods_scrape() throws Exception {
    assertThat(scrape()).containsAll(ofPods(Expressions.ofDashboards(), 30));
  }

  @Test
  void every_metric_and_label_of_the_alerts_is_in_a_pods_scrape() throws Exception {
    assertThat(scrape()).containsAll(ofPods(Expressions.ofAlerts(), 9));
  }

  private static Set<String> ofPods(List<String> expressions, int atLeast) {
    Set<String> named = Expressions.named(expressions);
    named.removeIf(each -> !each.startsWith("rag_"));
    assertThat(named).hasSizeGreaterThanOrEqualTo(atLeast);
    return named;
  }

  private Set<String> scrape() throws Exception {
    try (TestPod pod =
        new TestPod(
                directory,
                new FakeBackends(),
                metrics -> new ScriptedJourneys(Answer.Outcome.FULL, null),
                10)
            .load(Plans.of("handbook", HelmChart.read(Path.of("examples/full.yaml"), "spec")))) {
      pod.metrics.watch(() -> new PodLoad(Map.of(), List.of()));
      return Expressions.scraped(pod.getAdmin("/metrics").body());
    }
  }
}
