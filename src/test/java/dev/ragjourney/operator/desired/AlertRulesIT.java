package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.support.prometheus.RealPrometheus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts as Prometheus itself reads and fires them. */
class AlertRulesIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SERIES =
      "rag_journey_answers_total{namespace=\"shop\",journey=\"%s\",deadline=\"%s\",outcome=\"%s\",level=\"full\",pod=\"%s\"}";

  @TempDir Path folder;

  @Test
  void promtool_finds_nothing_to_complain_about() throws IOException, InterruptedException {
    rules();

    assertThat(promtool("check", "rules", "rules.yml")).contains("SUCCESS: 3 rules found");
  }

  @Test
  void alerts_fire_for_the_journey_that_is_over_its_thresholds_and_not_for_others_or_on_too_little()
      throws IOException, InterruptedException {
    rules();
    Files.writeString(
        folder.resolve("test.yml"),
        JSON.writeValueAsString(
            Map.of(
                "rule_files",
                List.of("rules.yml"),
                "evaluation_interval",
                "1m",
                "tests",
                List.of(
                    // 96 full, 3 degraded and 1 missed a minute, over two pods; another journey
                    // and shortened budgets are worse and do not count.
                    firing(
                        List.of(
                            series("faq", "own", "full", "a", 96),
                            series("faq", "own", "degraded", "a", 3),
                            series("faq", "own", "static", "b", 3),
                            series("faq", "caller", "static", "b", 500),
                            series("other", "own", "late", "a", 500)),
                        true),
                    firing(
                        List.of(
                            series("faq", "own", "full", "a", 99),
                            series("faq", "own", "error", "b", 1)),
                        false),
                    firing(
                        List.of(
                            series("faq", "own", "full", "a", 0),
                            series("faq", "own", "static", "b", 1)),
                        false)))),
        StandardCharsets.UTF_8);

    assertThat(promtool("test", "rules", "test.yml")).contains("SUCCESS");
  }

  private static Map<String, Object> series(
      String journey, String deadline, String outcome, String pod, int aMinute) {
    return Map.of(
        "series",
        SERIES.formatted(journey, deadline, outcome, pod),
        "values",
        "0+%dx60".formatted(aMinute));
  }

  private static Map<String, Object> firing(List<Map<String, Object>> series, boolean fires) {
    return Map.of(
        "interval",
        "1m",
        "input_series",
        series,
        "alert_rule_test",
        List.of(
            Map.of(
                "eval_time",
                "45m",
                "alertname",
                "RagJourneyMissesAnswers",
                "exp_alerts",
                fires
                    ? List.of(
                        Map.of(
                            "exp_labels",
                            Map.of("severity", "critical"),
                            "exp_annotations",
                            Map.of(
                                "summary",
                                "shop/faq gives no answer in time to 2.941% of its questions",
                                "description",
                                "The objective is at most 2 %. status.journey.costliestStage of the RagJourney says which stage takes the time.")))
                    : List.of()),
            Map.of(
                "eval_time", "45m", "alertname", "RagJourneyDegraded", "exp_alerts", List.of())));
  }

  private void rules() throws IOException {
    List<Map<String, Object>> rules =
        AlertRules.of(new JourneyId("shop", "faq"), new Objective(0.02, 0.1));
    Files.writeString(
        folder.resolve("rules.yml"),
        JSON.writeValueAsString(
            Map.of("groups", List.of(Map.of("name", "ragjourney.faq", "rules", rules)))),
        StandardCharsets.UTF_8);
  }

  private String promtool(String... arguments) throws IOException, InterruptedException {
    Path prometheus = RealPrometheus.binary().orElse(null);
    Assumptions.assumeTrue(prometheus != null, "no prometheus on the PATH: alerts are not checked");
    List<String> command =
        new ArrayList<>(List.of(prometheus.resolveSibling("promtool").toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
