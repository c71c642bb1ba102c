package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.operator.JourneyOperator;
import dev.ragjourney.operator.OperatorMetrics;
import dev.ragjourney.operator.OperatorSettings;
import dev.ragjourney.prometheus.NotConfigured;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The CRD on a real API server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrdLifeApiServerIT {
  private static final Path CRD = Path.of("crds", "ragjourneys.ragjourney.dev.yaml");
  private static final Path EXPLAINED = Path.of("src", "test", "resources", "crd", "explain.txt");
  private static final String NAMESPACE = "older-crd";
  private static final YAMLMapper YAML = YAMLMapper.builder().build();

  private Cluster cluster;

  @TempDir Path directory;

  @BeforeAll
  void install() throws IOException {
    cluster = Cluster.connect();
    install(CRD);
    cluster.namespace(NAMESPACE);
  }

  private void install(Path crd) throws IOException {
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "--filename", crd.toString());
    cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
  }

  @Test
  void plain_kubectl_apply_takes_the_file_and_remembers_it() throws IOException {
    Cluster.Ended ended = cluster.tryKubectl("apply", "--filename", "crds/");
    assertThat(ended.code()).as(ended.errors()).isZero();
    assertThat(
            cluster.kubectl(
                "get",
                "--filename",
                "crds/",
                "--output=jsonpath={.metadata.annotations.kubectl\\.kubernetes\\.io/last-applied-configuration}"))
        .contains("spec");
  }

  @Test
  void explain_reads_as_before() throws IOException {
    String explained =
        cluster.kubectl("explain", "rj.spec.budget")
            + cluster.kubectl("explain", "rj.spec.stages.fallback");
    if (Boolean.getBoolean("crd.write")) {
      Files.writeString(EXPLAINED, explained);
    }
    assertThat(EXPLAINED).as("write it again with -Dcrd.write=true").hasContent(explained);
  }

  @Test
  void explain_knows_every_field_with_its_type() throws IOException {
    List<String> expected = new ArrayList<>();
    JsonNode schema =
        YAML.readTree(CRD.toFile()).at("/spec/versions/0/schema/openAPIV3Schema/properties");
    expect("  ", "spec", schema.path("spec"), true, expected);
    expect("  ", "status", schema.path("status"), false, expected);
    List<String> explained =
        cluster
            .kubectl("explain", "rj", "--recursive")
            .lines()
            .filter(line -> line.contains("\t"))
            .toList();
    assertThat(expected).hasSizeGreaterThan(250);
    assertThat(explained.subList(explained.size() - expected.size(), explained.size()))
        .isEqualTo(expected);
  }

  private static void expect(
      String indent, String name, JsonNode schema, boolean required, List<String> lines) {
    lines.add(indent + name + "\t<" + type(schema) + ">" + (required ? " -required-" : ""));
    JsonNode object = schema.has("items") ? schema.path("items") : schema;
    List<String> needed = new ArrayList<>();
    object.path("required").forEach(field -> needed.add(field.asText()));
    object.path("properties").properties().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            field ->
                expect(
                    indent + "  ",
                    field.getKey(),
                    field.getValue(),
                    needed.contains(field.getKey()),
                    lines));
  }

  private static String type(JsonNode schema) {
    String type = schema.path("type").asText();
    return switch (type) {
      case "array" -> "[]" + type(schema.path("items"));
      case "object" ->
          schema.path("additionalProperties").isObject()
              ? "map[string]" + type(schema.path("additionalProperties"))
              : "Object";
      default -> type;
    };
  }

  @Test
  void the_operator_notices_an_older_crd_says_so_and_goes_on_with_what_is_there()
      throws IOException {
    CollectorRegistry registry = new CollectorRegistry();
    OperatorSettings settings =
        new OperatorSettings(
            "ragjourney:local", 5, Set.of(NAMESPACE), true, Duration.ofMillis(500), null);
    install(older());
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
            .build()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  !client.raw("/openapi/v3/apis/ragjourney.dev/v1alpha1").contains("observedGen"));
      JourneyOperator operator =
          new JourneyOperator(
              client,
              new NotConfigured(),
              settings,
              new OperatorMetrics(registry),
              Clock.systemUTC());
      try (operator) {
        operator.start(() -> {});
        Path manifest = directory.resolve("journey.yaml");
        Files.writeString(
            manifest,
            """
            apiVersion: ragjourney.dev/v1alpha1
            kind: RagJourney
            metadata: {name: faq}
            spec:
              budget: {total: 3s}
              documents: {configMap: {name: faq-documents}}
            """);
        cluster.apply(manifest, NAMESPACE);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> status().path("conditions").path(0).path("type").asText(), "Ready"::equals);
        assertThat(missing(registry)).isEqualTo(3);
        assertThat(status().has("observedGeneration")).isFalse();
        assertThat(status().path("effective").has("stages")).isFalse();
        assertThat(status().path("effective").path("rule").asText()).isEqualTo("P95Headroom");

        install(CRD);
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> {
                  assertThat(status().path("observedGeneration").asLong()).isEqualTo(1);
                  assertThat(status().path("effective").path("stages")).isNotEmpty();
                  assertThat(missing(registry)).isZero();
                });
      }
    } finally {
      install(CRD);
      cluster.kubectl("delete", "rj", "--all", "--namespace=" + NAMESPACE);
    }
  }

  private static double missing(CollectorRegistry registry) {
    return registry.getSampleValue("ragjourney_operator_crd_missing_fields");
  }

  private JsonNode status() throws IOException {
    return YAML.readTree(
            cluster.kubectl("get", "rj", "faq", "--namespace=" + NAMESPACE, "--output=yaml"))
        .path("status");
  }

  /** Without three fields of the status. */
  private Path older() throws IOException {
    JsonNode crd = YAML.readTree(CRD.toFile());
    JsonNode schema = crd.at("/spec/versions/0/schema/openAPIV3Schema/properties");
    assertThat(((ObjectNode) schema.at("/status/properties")).remove("observedGeneration"))
        .isNotNull();
    // A condition has a field of that name too; the published schema must not speak of it at all.
    assertThat(
            ((ObjectNode) schema.at("/status/properties/conditions/items/properties"))
                .remove("observedGeneration"))
        .isNotNull();
    assertThat(((ObjectNode) schema.at("/status/properties/effective/properties")).remove("stages"))
        .isNotNull();
    Path file = directory.resolve("older.yaml");
    YAML.writeValue(file.toFile(), crd);
    return file;
  }

  @AfterAll
  void stop() {
    cluster.close();
  }
}
