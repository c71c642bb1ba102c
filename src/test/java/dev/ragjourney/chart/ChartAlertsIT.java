package dev.ragjourney.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.support.prometheus.RealPrometheus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboards' questions by Prometheus' own tool. */
class ChartAlertsIT {
  private static final Path CASES = Path.of("src/test/resources/chart/alerts.test.yaml");

  @TempDir Path directory;

  @BeforeEach
  void write_the_alerts() throws IOException {
    assumeTrue(
        RealPrometheus.binary().isPresent(),
        "there is no promtool on this machine (Debian: prometheus)");
    ObjectNode rules = HelmChart.YAML.createObjectNode();
    rules.set("groups", Expressions.alertGroups());
    HelmChart.YAML.writeValue(directory.resolve("alerts.yaml").toFile(), rules);
  }

  @Test
  void prometheus_takes_the_alerts() throws Exception {
    promtool("check", "rules", "alerts.yaml");
  }

  @Test
  void alerts_fire_when_they_should_and_only_then() throws Exception {
    Files.copy(CASES, directory.resolve("alerts.test.yaml"));
    promtool("test", "rules", "alerts.test.yaml");
  }

  @Test
  void every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_does_not() throws IOException {
    Set<String> firing = new TreeSet<>();
    Set<String> silent = new TreeSet<>();
    for (JsonNode test : HelmChart.YAML.readTree(CASES.toFile()).path("tests")) {
      for (JsonNode expected : test.path("alert_rule_test")) {
        (expected.path("exp_alerts").isEmpty() ? silent : firing)
            .add(expected.path("alertname").asText());
      }
    }
    List<String> alerts = new ArrayList<>();
    for (JsonNode group : Expressions.alertGroups()) {
      group.path("rules").forEach(rule -> alerts.add(rule.path("alert").asText()));
    }
    assertThat(firing).containsExactlyInAnyOrderElementsOf(alerts);
    assertThat(silent).containsExactlyInAnyOrderElementsOf(alerts);
  }

  @Test
  void prometheus_takes_every_question_of_the_dashboards() throws Exception {
    ObjectNode rules = HelmChart.YAML.createObjectNode();
    ObjectNode group = rules.putArray("groups").addObject().put("name", "dashboards");
    ArrayNode asked = group.putArray("rules");
    List<String> expressions = Expressions.ofDashboards();
    for (String expression : expressions) {
      asked
          .addObject()
          .put("record", "panel:" + asked.size())
          .put("expr", expression.replace("$__rate_interval", "5m"));
    }
    assertThat(expressions).hasSizeGreaterThan(35);
    HelmChart.YAML.writeValue(directory.resolve("dashboards.yaml").toFile(), rules);
    promtool("check", "rules", "--lint=none", "dashboards.yaml");
  }

  private void promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
