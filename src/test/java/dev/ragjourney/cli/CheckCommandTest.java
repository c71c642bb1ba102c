package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
  private static final String HEAD =
      """
      apiVersion: ragjourney.dev/v1alpha1
      kind: RagJourney
      metadata: {name: faq}
      """;

  private static final String FITS =
      HEAD
          + """
          spec:
            budget: {total: 3s}
            documents: {configMap: {name: faq-documents}}
          """;

  private static final String TOO_MUCH =
      HEAD
          + """
          spec:
            budget: {total: 3s}
            documents: {configMap: {name: faq-documents}}
            stages:
            - {name: search, type: Search, cap: 2.5s}
            - {name: generate, type: Generate, florr: 1s}
          """;

  private static final String RETRIES =
      HEAD
          + """
          spec:
            budget: {total: 5s}
            documents: {configMap: {name: faq-documents}}
            stages:
            - name: search
              type: Search
              retry: {attemptCaps: [3s, 3s], backoff: {min: 80ms, max: 500ms}}
            - {name: generate, type: Generate, floor: 1s200ms}
          """;

  @Test
  void an_accepted_manifest_comes_with_its_sum() {
    CommandRun run = check(FITS);

    assertThat(run.out())
        .isEqualTo(
            """
            -: faq is accepted: Fits
              0.15 + 0.6 + 0.3 + 1.2 = 2.25 s of 3 s (embed + search + rerank + generate floor), slack 0.75 s
              reserve 0.05 s
            """);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void everything_that_is_wrong_is_told_as_the_operator_tells_it() {
    CommandRun run = check(TOO_MUCH);

    assertThat(run.out())
        .isEqualTo(
            """
            -: faq is refused: UnknownField
              spec.stages[1].florr: spec.stages[1].florr is no field of this version; did you mean floor?
            """);
    assertThat(run.exitCode()).isEqualTo(1);

    CommandRun next = check(TOO_MUCH.replace("florr", "floor"));
    assertThat(next.out())
        .isEqualTo(
            """
            -: faq is refused: InvalidValue
              spec.stages[0].cap: '2.5s' has decimals; write 2s500ms.
            """);
  }

  @Test
  void a_budget_that_cannot_be_kept_is_refused_with_the_sum() {
    CommandRun run = check(RETRIES);

    assertThat(run.out())
        .contains("-: faq is refused: RetriesCannotFit")
        .contains("3.0 + 0.5 + 3.0 + 1.2 = 7.7 s > 5 s")
        .contains("reserve 0.05 s");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void files_may_hold_other_kinds_and_lists_and_one_refusal_is_enough_for_exit_code_1(
      @TempDir Path directory) throws IOException {
    Path mixed = directory.resolve("mixed.yaml");
    Files.writeString(
        mixed, "kind: ConfigMap\nmetadata: {name: c}\n---\n" + FITS + "---\n---\n" + RETRIES);
    Path list = directory.resolve("list.json");
    Files.writeString(
        list,
        """
        {"kind": "List", "items": [{"apiVersion": "ragjourney.dev/v1", "kind": "RagJourney",
         "metadata": {"name": "new"}}]}
        """);

    CommandRun run = CommandRun.of("check", mixed.toString(), list.toString());

    assertThat(run.out().lines().filter(line -> !line.startsWith(" ")))
        .containsExactly(
            mixed + ": faq is accepted: Fits",
            mixed + ": faq is refused: RetriesCannotFit",
            list + ": new is refused: UnknownVersion");
    assertThat(run.out()).contains("'ragjourney.dev/v1' is not known; ragjourney.dev/v1alpha1 is.");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void json_has_the_findings_and_the_sum() throws IOException {
    JsonNode accepted = json(FITS);
    assertThat(accepted.path("accepted").asBoolean()).isTrue();
    assertThat(accepted.path("plannedPath").asText()).isEqualTo("2s250ms");
    assertThat(accepted.path("slack").asText()).isEqualTo("750ms");

    JsonNode refused = json(RETRIES);
    assertThat(refused.path("accepted").asBoolean()).isFalse();
    assertThat(refused.path("findings").get(0).path("path").asText())
        .isEqualTo("spec.stages[0].retry");
    assertThat(refused.has("slack")).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "no file | check | Missing required parameter: 'FILE'",
        "a file that is not there | check nowhere.yaml | check: there is no file nowhere.yaml",
        "a folder | check . | check: . is a folder; name the files in it",
        "an empty input | check - | check: - holds no RagJourney; it is empty",
        "an unknown output | check -o yaml - | Invalid value for option '--output': expected one of [TEXT, JSON]",
        "an unknown option | check --strict - | Unknown option: '--strict'",
      })
  void what_cannot_be_checked_is_told(String name, String arguments, String message) {
    CommandRun run = CommandRun.of(arguments.split(" "));

    assertThat(run.err()).as(name).contains(message);
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "other kinds alone | kind: Pod | check: - holds no RagJourney; it holds Pod",
        "broken YAML | kind: [ | check: - is no valid YAML: while parsing a flow node; expected the node content, but found '<stream end>' (line 1, column 8)",
        "no object | hello | check: - holds no RagJourney; it holds an object without kind",
      })
  void what_is_no_manifest_is_told(String name, String input, String message) {
    CommandRun run = check(input);

    assertThat(run.err()).as(name).startsWith(message);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  private static JsonNode json(String manifest) throws IOException {
    CommandRun run = CommandRun.of(manifest, Map.of(), "check", "-o", "json", "-");
    return new ObjectMapper().readTree(run.out()).get(0);
  }

  private static CommandRun check(String manifest) {
    return CommandRun.of(manifest, Map.of(), "check", "-");
  }
}
