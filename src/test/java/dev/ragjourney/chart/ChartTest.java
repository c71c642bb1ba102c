package dev.ragjourney.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart by Helm's own means. */
class ChartTest {
  private static final Path CASES = Path.of("src/test/resources/chart");

  static List<Path> values() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.filter(file -> file.toString().endsWith(".values.yaml")).sorted().toList();
    }
  }

  @Test
  void lint_in_its_strict_form_has_nothing_to_complain_of() {
    assertThat(HelmChart.lint().getMessages()).allMatch(message -> message.startsWith("[INFO]"));
    assertThat(HelmChart.lint().isFailed()).isFalse();
  }

  @ParameterizedTest(name = "{0} renders as its snapshot says")
  @MethodSource("values")
  void values_render_as_their_snapshot_says(Path values) throws IOException {
    String rendered = HelmChart.template(values);
    Path snapshot = Path.of(values.toString().replace(".values.yaml", ".rendered.yaml"));
    if (Boolean.getBoolean(HelmChart.WRITE)) {
      Files.writeString(snapshot, rendered);
    }
    assertThat(snapshot)
        .as("write it again with: mvn test -Dtest=ChartTest -Dchart.write=true")
        .hasContent(rendered);
  }

  @Test
  void there_are_snapshots_of_several_kinds_of_installation() throws IOException {
    assertThat(values())
        .extracting(file -> file.getFileName().toString())
        .contains("default.values.yaml", "everything.values.yaml", "namespaced.values.yaml");
  }

  @ParameterizedTest(name = "{0} is refused: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "replicaz=2                         | replicaz",
        "replicas=-1                        | replicas",
        "replicas=two                       | replicas",
        "image.pullPolicy=Sometimes         | pullPolicy",
        "image.digest=sha256:12             | digest",
        "watchNamespaces={Shop}             | watchNamespaces",
        "prometheus.url=prometheus:9090     | prometheus",
        "prometheus.matchers={cluster}      | matchers",
        "logLevel=LOUD                      | logLevel",
        "alerts.degradedRatio=5             | degradedRatio",
        "alerts.for=ten minutes             | for",
        "admission.maxBudget=1.5s           | maxBudget",
        "admission.allowedBackends={a'b}    | allowedBackends",
        "test.within=soon                   | within"
      })
  void a_value_that_cannot_be_meant_is_refused_by_its_name(String setting, String named) {
    assertThatThrownBy(() -> HelmChart.template(null, setting)).hasMessageContaining(named);
  }

  @Test
  void two_replicas_without_an_election_are_refused() {
    assertThatThrownBy(() -> HelmChart.template(null, "replicas=2", "leaderElection.enabled=false"))
        .hasMessageContaining("leaderElection.enabled");
  }

  @Test
  void guard_rails_that_guard_nothing_are_refused() {
    assertThatThrownBy(() -> HelmChart.template(null, "admission.enabled=true"))
        .hasMessageContaining("admission.maxBudget");
  }

  @Test
  void the_crd_is_the_one_in_crds_and_nothing_but_its_wrapper_differs() throws IOException {
    String shipped = Files.readString(Path.of("crds/ragjourneys.ragjourney.dev.yaml"));
    String kept = "metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n";

    assertThat(HelmChart.template(null))
        .contains(shipped.replace("\nmetadata:\n", "\n" + kept).strip());
    assertThat(HelmChart.template(null, "crds.keep=false")).contains(shipped.strip());
    assertThat(HelmChart.template(null, "crds.enabled=false"))
        .doesNotContain("CustomResourceDefinition");
  }

  @Test
  void every_value_has_a_type_and_a_description_and_every_documented_value_a_default()
      throws IOException {
    JsonNode values = HelmChart.YAML.readTree(HelmChart.FOLDER.resolve("values.yaml").toFile());
    JsonNode schema = Expressions.read(HelmChart.FOLDER.resolve("values.schema.json"));
    List<String> wrong = new ArrayList<>();
    ValuesTable.compare("", values, schema, wrong);

    assertThat(wrong).isEmpty();
  }

  @Test
  void the_charts_readme_lists_every_value_with_its_default() throws IOException {
    Path readme = HelmChart.FOLDER.resolve("README.md");
    String table = ValuesTable.markdown();
    if (Boolean.getBoolean(HelmChart.WRITE)) {
      Files.writeString(readme, ValuesTable.replaced(Files.readString(readme), table));
    }
    assertThat(Files.readString(readme))
        .as("write it again with: mvn test -Dtest=ChartTest -Dchart.write=true")
        .contains(table);
  }

  @Test
  void the_operator_without_helm_is_the_chart_with_its_defaults() throws IOException {
    Path file = Path.of("examples/operator/operator.yaml");
    String made = PlainOperator.yaml();
    if (Boolean.getBoolean(HelmChart.WRITE)) {
      Files.writeString(file, made);
    }
    assertThat(file)
        .as("write it again with: mvn test -Dtest=ChartTest -Dchart.write=true")
        .hasContent(made);
  }
}
