package dev.ragjourney.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Grafana needs of a dashboard, and what a person does. */
class DashboardsTest {
  private static final int COLUMNS = 24;

  static List<Path> dashboards() {
    return Expressions.dashboards();
  }

  @Test
  void there_is_one_for_journeys_and_one_for_the_operator() {
    assertThat(dashboards())
        .extracting(file -> file.getFileName().toString())
        .containsExactly("journeys.json", "operator.json");
    assertThat(dashboards())
        .extracting(file -> Expressions.read(file).path("uid").asText())
        .doesNotHaveDuplicates()
        .doesNotContain("");
  }

  @ParameterizedTest(name = "panels of {0} have numbers of their own and places of their own")
  @MethodSource("dashboards")
  void panels_neither_share_a_number_nor_a_place(Path file) {
    Set<Integer> numbers = new HashSet<>();
    Set<String> taken = new HashSet<>();
    for (JsonNode panel : Expressions.read(file).path("panels")) {
      assertThat(numbers.add(panel.path("id").asInt())).as(panel.path("title").asText()).isTrue();
      JsonNode place = panel.path("gridPos");
      int right = place.path("x").asInt() + place.path("w").asInt();
      assertThat(right).isLessThanOrEqualTo(COLUMNS);
      for (int x = place.path("x").asInt(); x < right; x++) {
        for (int y = 0; y < place.path("h").asInt(); y++) {
          String cell = x + "/" + (place.path("y").asInt() + y);
          assertThat(taken.add(cell)).as("%s at %s", panel.path("title"), cell).isTrue();
        }
      }
    }
  }

  @ParameterizedTest(
      name = "every panel of {0} says what it shows, with units, from the chosen source")
  @MethodSource("dashboards")
  void every_panel_says_what_it_shows(Path file) {
    List<JsonNode> graphs = new ArrayList<>();
    for (JsonNode panel : Expressions.read(file).path("panels")) {
      if (!panel.path("type").asText().equals("row")) {
        graphs.add(panel);
      }
    }
    assertThat(graphs).hasSizeGreaterThan(8);
    assertThat(graphs)
        .allSatisfy(
            panel -> {
              assertThat(panel.path("title").asText()).isNotBlank();
              assertThat(panel.path("description").asText()).isNotBlank();
              assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
              assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
              assertThat(panel.path("targets")).isNotEmpty();
            });
  }

  @Test
  void the_chart_hands_both_to_grafanas_sidecar_whole() {
    List<JsonNode> maps =
        HelmChart.ofKind(
            HelmChart.render(
                "{crds: {enabled: false}, dashboards: {enabled: true, annotations: {folder: RAG}}}"),
            "ConfigMap");

    assertThat(maps).hasSize(2);
    assertThat(maps)
        .allSatisfy(
            map -> {
              assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
              assertThat(map.at("/metadata/annotations/folder").asText()).isEqualTo("RAG");
              String file = map.path("data").fieldNames().next();
              assertThat(HelmChart.YAML.readTree(map.path("data").path(file).asText()))
                  .isEqualTo(
                      Expressions.read(
                          HelmChart.FOLDER.resolve(
                              "dashboards/" + file.replace("ragjourney-", ""))));
            });
  }
}
