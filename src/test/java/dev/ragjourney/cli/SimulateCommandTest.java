package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SimulateCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String SPEC =
      """
      spec:
        budget: {total: 2s}
        documents: {configMap: {name: d}}
        stages:
        - {name: search, type: Search, cap: 400ms, fallback: {mode: Keyword}}
        - {name: rerank, type: Rerank, optional: true, cap: 200ms}
        - {name: generate, type: Generate, floor: 500ms}
      seed: 7
      windows: 6
      requestsPerWindow: 200
      """;

  private static final String LAWS =
      """
      segments:
      - from: 0
        stages:
          search: {lognormal: {median: 150ms, sigma: "0.5"}}
          search.fallback: {constant: 60ms}
          rerank: {mixture: [{weight: "0.9", law: {exponential: {mean: 80ms}}}, {weight: 0.1, law: {hang: {}}}]}
          generate: {error: {ratio: 1%, of: {lognormal: {median: 600ms, sigma: 0.3}}}}
      """;

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("scenario.yaml"), text);
  }

  private JsonNode json(String text) throws IOException {
    CommandRun run = CommandRun.of("simulate", file(text).toString(), "-o", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FINE);
    return JSON.readTree(run.out());
  }

  @Test
  void the_document_has_each_way_of_moving_the_caps_with_its_figures() throws IOException {
    JsonNode document = json(SPEC + LAWS);

    for (String mover :
        List.of("Static", "NoCaps", "P95SuccessesOnly", "P95Headroom", "MaxQuality", "Optimum")) {
      JsonNode figures = document.get(mover);
      assertThat(figures).as(mover).isNotNull();
      double full = figures.get("full").asDouble();
      double degraded = figures.get("degraded").asDouble();
      double miss = figures.get("miss").asDouble();
      assertThat(full + degraded + miss).as(mover).isBetween(99.99, 100.01);
      assertThat(figures.get("j").asDouble())
          .isCloseTo(
              full - 3 * Math.max(0, miss - 1), org.assertj.core.api.Assertions.within(0.01));
      assertThat(figures.get("writes").isInt()).isTrue();
      assertThat(figures.get("recoveryWindows").asInt()).isZero();
      assertThat(figures.has("predictionErrorPoints")).isTrue();
      assertThat(figures.get("caps")).hasSize(6);
      assertThat(figures.get("windows")).hasSize(6);
      assertThat(figures.get("holds").isArray()).isTrue();
      assertThat(document.at("/Optimum/j").asDouble())
          .as("no less than " + mover)
          .isGreaterThanOrEqualTo(figures.get("j").asDouble());
    }
    assertThat(document.at("/Static/caps/5/rerank").asDouble()).isEqualTo(200);
    assertThat(document.at("/NoCaps/caps/0/rerank").asDouble()).isEqualTo(2000);
    assertThat(document.at("/MaxQuality/predictionErrorPoints").isNumber()).isTrue();
    assertThat(document.at("/MaxQuality/holds/0/reason").asText()).isNotEmpty();
    assertThat(document.at("/MaxQuality/holds/0/message").asText()).isNotEmpty();
    assertThat(document.at("/scenario/seed").asLong()).isEqualTo(7);
  }

  @Test
  void the_same_file_gives_the_same_figures_and_another_seed_others() throws IOException {
    JsonNode one = json(SPEC + LAWS);

    assertThat(json(SPEC + LAWS)).isEqualTo(one);
    assertThat(json(SPEC.replace("seed: 7", "seed: 8") + LAWS).get("MaxQuality"))
        .isNotEqualTo(one.get("MaxQuality"));
  }

  @Test
  void text_is_a_table_and_says_what_was_taken_where_nothing_was_said() throws IOException {
    CommandRun run = CommandRun.of("simulate", file(SPEC + "segments: [{from: 0}]").toString());

    assertThat(run.exitCode()).isEqualTo(ExitCodes.FINE);
    assertThat(run.out())
        .contains("WHO MOVES THE CAPS", "MaxQuality", "P95SuccessesOnly")
        .contains("note: search.fallback has no law: half of its cap is taken, always 170 ms")
        .contains("note: generate has no law: lognormal is taken, median 250 ms, sigma 0.5");
  }

  @Test
  void without_requests_there_are_no_figures_and_nothing_is_moved() throws IOException {
    JsonNode document = json(SPEC.replace("requestsPerWindow: 200", "requestsPerWindow: 0") + LAWS);

    assertThat(document.at("/MaxQuality/full").isNull()).isTrue();
    assertThat(document.at("/MaxQuality/writes").asInt()).isZero();
    assertThat(document.at("/MaxQuality/holdReasons/NoTraffic").asInt()).isEqualTo(6);
  }

  @Test
  void a_segment_keeps_the_laws_and_requests_of_the_one_before_where_it_names_none()
      throws IOException {
    JsonNode document =
        json(
            SPEC
                + LAWS
                + """
                - {from: 3, stages: {rerank: {hang: {}}}}
                - {from: 5, requestsPerWindow: 0}
                """);

    assertThat(document.at("/Static/windows/2/full").asDouble()).isGreaterThan(50);
    assertThat(document.at("/Static/windows/4/full").asDouble()).isZero();
    assertThat(document.at("/Static/windows/4/degraded").asDouble()).isGreaterThan(90);
    assertThat(document.at("/Static/windows/5/full").isNull()).isTrue();
    assertThat(document.at("/scenario/segments/1/requestsPerWindow").asInt()).isEqualTo(200);
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of("sed: 3", "sed: is no field here; the fields are journey, spec, seed"),
        Arguments.of("windows: many", "windows: is 'many'; a number from 1 to 10000 is needed"),
        Arguments.of("late: 0.5", "late: is 0.5; a whole number is needed"),
        Arguments.of("correlation: 2", "correlation: is 2; a number from 0 to 1 is needed"),
        Arguments.of("journey: faq.yaml", "has both journey and spec"),
        Arguments.of(
            "segments: [{from: 2}]", "segments[0].from: is 2; the first segment begins at"),
        Arguments.of("segments: [{from: 0}, {from: 0}]", "segments[1].from: is 0, not after"),
        Arguments.of("segments: []", "segments: is missing; give at least one"),
        Arguments.of(stage("serch: {constant: 5ms}"), "serch: there is no such stage; a law may"),
        Arguments.of(stage("rerank.fallback: {constant: 5ms}"), "the stage rerank has no fallback"),
        Arguments.of(stage("search: 5ms"), "search: is '5ms'; a law is one of constant, error"),
        Arguments.of(stage("search: {gauss: {}}"), "search.gauss: is no law; the laws are"),
        Arguments.of(
            stage("search: {constant: 5}"), "constant: is 5; write a duration with its unit"),
        Arguments.of(stage("search: {constant: 1.5s}"), "has decimals; write 1s500ms"),
        Arguments.of(stage("search: {lognormal: {median: 5ms}}"), "lognormal.sigma: is missing"),
        Arguments.of(
            stage("search: {lognormal: {median: 5ms, sigma: -1}}"),
            "lognormal.sigma: is -1; a number from 0 to 10 is needed"),
        Arguments.of(
            stage("search: {error: {ratio: 2, of: {constant: 5ms}}}"),
            "error.ratio: is 2; a number from 0 to 1 is needed"),
        Arguments.of(
            stage("search: {mixture: [{weight: 0.5, law: {constant: 5ms}}]}"),
            "mixture: has weights that add up to 0.5; together they are 1"));
  }

  private static String stage(String law) {
    return "segments: [{from: 0, stages: {" + law + "}}]";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void a_mistake_is_told_with_its_path_its_value_and_what_would_be_right(String line, String told)
      throws IOException {
    String rest = line.startsWith("segments") ? "" : "\nsegments: [{from: 0}]";
    String spec = SPEC.replaceAll("(?m)^windows: 6$", line.startsWith("windows") ? "" : "$0");

    CommandRun run = CommandRun.of("simulate", file(spec + line + rest).toString());

    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.err()).contains(told);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void a_manifest_that_the_operator_would_refuse_is_refused_with_its_reasons() throws IOException {
    CommandRun run =
        CommandRun.of(
            "simulate",
            file("spec: {budget: {total: 3s, totl: 3s}}\nsegments: [{from: 0}]").toString());

    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.err()).contains("spec.budget.totl is no field").contains("total?");
  }

  @Test
  void what_is_no_file_or_no_yaml_is_told() throws IOException {
    assertThat(CommandRun.of("simulate", folder + "/none.yaml").err()).contains("there is no file");
    assertThat(CommandRun.of("simulate", file("a: [").toString()).err()).contains("no valid YAML");
    assertThat(CommandRun.of("simulate", file("").toString()).exitCode())
        .isEqualTo(ExitCodes.FAILED);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_runs(Path example) {
    CommandRun run = CommandRun.of("simulate", example.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("MaxQuality").doesNotContain("note:");
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("examples/scenarios"))) {
      List<Path> found = files.filter(file -> !file.endsWith("assistant.yaml")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found;
    }
  }
}
