package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.support.kubernetes.EmbeddedApiServer;
import dev.ragjourney.support.prometheus.LocalPrometheus;
import dev.ragjourney.support.prometheus.RecordedJourney;
import dev.ragjourney.support.prometheus.RecordedJourney.Law;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands on a journey that the operator has moved twice, on recorded figures. */
class JourneyCommandsIT {
  private static final String SPEC =
      """
      budget: {total: 3s}
      documents: {configMap: {name: faq-documents}}
      """;

  private static final Map<String, Law> LAWS =
      Map.of(
          "embed", new Law(0.03, 0.3),
          "search", new Law(0.25, 0.4),
          "rerank", new Law(0.22, 0.4),
          "generate", new Law(0.9, 0.35));

  private static final Instant FIRST_MOVE = CommandRun.NOW.minus(Duration.ofMinutes(75));
  private static final Instant SECOND_MOVE = CommandRun.NOW.minus(Duration.ofMinutes(40));

  private static EmbeddedApiServer server;
  private static LocalPrometheus prometheus;
  private static Path directory;

  /** The caps in force are those that the moves lead to. */
  @BeforeAll
  static void operate(@TempDir Path temporary) {
    OperatedJourney journey = new OperatedJourney(SPEC);
    prometheus =
        LocalPrometheus.recorded(
            recorder ->
                new RecordedJourney(
                        recorder, "shop", "faq", journey.inForce(), Duration.ofSeconds(30))
                    .asked(FIRST_MOVE.minus(Duration.ofMinutes(40)), FIRST_MOVE, LAWS)
                    .cap("embed", Duration.ofMillis(120))
                    .cap("search", Duration.ofMillis(607))
                    .cap("rerank", Duration.ofMillis(360))
                    .asked(FIRST_MOVE.plusSeconds(30), SECOND_MOVE, LAWS)
                    .cap("embed", Duration.ofMillis(96))
                    .cap("search", Duration.ofMillis(596))
                    .cap("rerank", Duration.ofMillis(432))
                    .asked(SECOND_MOVE.plusSeconds(30), CommandRun.NOW, LAWS));
    journey.round(prometheus.url(), FIRST_MOVE).round(prometheus.url(), SECOND_MOVE);
    server = EmbeddedApiServer.start();
    journey.into(server);
    directory = temporary;
    write("kubeconfig", server.kubeconfig());
    write(
        "faq.yaml",
        """
        apiVersion: ragjourney.dev/v1alpha1
        kind: RagJourney
        metadata: {name: faq, namespace: shop}
        spec:
        """
            + SPEC.indent(2));
  }

  private static void write(String file, String text) {
    try {
      Files.writeString(directory.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() {
    prometheus.close();
    server.close();
  }

  @Test
  void explain_says_why_each_cap_is_what_it_is_on_figures_of_now() {
    CommandRun run = live("explain");

    Golden.assertSame("explain-live.txt", Golden.withoutForecasts(run.out()));
    assertThat(run.out())
        .containsPattern("\n {9}9\\d\\.\\d % would be full if nothing were ever cut")
        .containsPattern("costs the most full answers; what buys them back: \\w+ 1.3 × faster")
        .containsPattern("\nin force +9\\d\\.\\d %")
        .containsPattern("\nP95Headroom +9\\d\\.\\d % .* embed 96ms → 77ms: p95 51 ms \\+ 20 %")
        .containsPattern("\nMaxQuality +9\\d\\.\\d %")
        .contains("\na round now would move caps: Rebalanced, ");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void explain_reads_what_the_operator_wrote_down_where_there_is_no_prometheus() {
    CommandRun run = cluster("explain");

    Golden.assertSame("explain-status.txt", Golden.withoutForecasts(run.out()));
    assertThat(run.out()).contains("\nthe last round: Rebalanced, embed 120 ms → 96 ms");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void explain_says_that_prometheus_is_away_and_goes_on() {
    CommandRun run = cluster("explain", "--prometheus", "http://127.0.0.1:1");

    assertThat(run.out())
        .contains(
            "figures: as the operator wrote them down; Prometheus gives none, QueryFailed: no"
                + " connection to http://127.0.0.1:1/api/v1/query_range")
        .contains("120ms → 96ms at 2030-01-02T02:24:05Z");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void explain_gives_programs_the_same_figures() {
    JsonNode json = json(live("explain", "-o", "json"));

    JsonNode rerank = json.path("stages").get(2);
    assertThat(rerank.path("cap").asText()).isEqualTo("432ms");
    assertThat(rerank.path("declaredCap").asText()).isEqualTo("300ms");
    assertThat(rerank.path("measured").path("timeoutRatio").asDouble()).isBetween(0.03, 0.07);
    assertThat(rerank.path("lastChange").path("from").asText()).isEqualTo("360ms");
    assertThat(json.path("figures").path("from").asText()).isEqualTo("live");
    assertThat(json.path("rules")).hasSize(3);
  }

  @Test
  void explain_takes_a_manifest_with_the_caps_that_it_declares() {
    CommandRun run =
        CommandRun.of(
            "explain", "-f", file("faq.yaml"), "--prometheus", prometheus.url().toString());

    assertThat(run.out())
        .contains("note: the caps are those that " + file("faq.yaml") + " declares")
        .contains("TooFewSamples, embed: fewer than the 100 calls needed under its cap in force");
  }

  @Test
  void what_if_compares_other_caps_on_the_same_latencies() {
    JsonNode json = json(live("what-if", "--cap", "rerank=700ms", "-o", "json"));

    JsonNode now = json.path("rows").get(0);
    JsonNode then = json.path("rows").get(1);
    assertThat(then.path("full").asDouble() - now.path("full").asDouble()).isBetween(0.03, 0.06);
    JsonNode rerank = json.path("stages").get(2);
    assertThat(rerank.path("capNow").asText()).isEqualTo("432ms");
    assertThat(rerank.path("cutNow").asDouble()).isCloseTo(0.046, within(0.02));
    assertThat(rerank.path("capThen").asText()).isEqualTo("700ms");
    assertThat(rerank.path("cutThen").asDouble()).isLessThan(0.006);

    assertThat(live("what-if", "--cap", "rerank=700ms").out())
        .contains("what if: cap of rerank 700ms\n")
        .containsPattern("\nnow +9\\d\\.\\d % ")
        .containsPattern("\nthen +9\\d\\.\\d % \\(\\+[345]\\.\\d\\) ")
        .containsPattern("\nrerank +432ms +\\d\\.\\d % +700ms +0\\.\\d %\n");
  }

  @Test
  void what_if_on_another_total_starts_from_the_declared_caps() {
    CommandRun run = live("what-if", "--total", "2s");

    assertThat(run.out())
        .contains("note: a changed total drops the caps that were moved")
        .containsPattern("\nrerank +432ms .* 200ms ");
    JsonNode json = json(live("what-if", "--total", "2s", "-o", "json"));
    assertThat(json.path("rows").get(1).path("attainable").asDouble())
        .isLessThan(json.path("rows").get(0).path("attainable").asDouble() - 0.05);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a faster stage gives more full answers, --faster=rerank=2, full, 1",
    "a slower stage gives fewer, --faster=rerank=0.5, full, -1",
    "a long hold-back of search costs full answers, --hold-back=search=2s500ms, full, -1",
  })
  void what_if_moves_the_forecast_the_right_way(
      String name, String option, String figure, int sign) {
    JsonNode json = json(live("what-if", option, "-o", "json"));

    double moved =
        json.path("rows").get(1).path(figure).asDouble()
            - json.path("rows").get(0).path(figure).asDouble();
    assertThat(moved * sign).as(name).isGreaterThan(0.01);
  }

  @Test
  void what_if_shows_where_the_moves_of_another_rule_lead() {
    JsonNode json = json(live("what-if", "--rule", "MaxQuality", "-o", "json"));

    assertThat(json.path("rows"))
        .extracting(row -> row.path("name").asText())
        .containsExactly("now", "after the next move of MaxQuality", "where its moves lead");
    assertThat(json.path("rows").get(1).path("full").asDouble())
        .isGreaterThan(json.path("rows").get(0).path("full").asDouble());
    assertThat(json.path("moves")).isNotEmpty();
  }

  @Test
  void what_if_says_why_the_changed_spec_would_be_refused() {
    CommandRun run = live("what-if", "--miss-ratio", "half", "--total", "3ms");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("what-if: the changed spec would be refused\n")
        .contains("spec.objective.missRatio: 'half' is not a share");
  }

  @Test
  void replay_takes_history_through_both_rules_from_the_caps_of_then() {
    JsonNode json = json(live("replay", "--from", "-1h45m", "-o", "json"));

    List<JsonNode> rounds = StreamSupport.stream(json.path("rounds").spliterator(), false).toList();
    assertThat(rounds).hasSize(21);
    assertThat(rounds.getFirst().path("caps").path("rerank").asText()).isEqualTo("300ms");
    assertThat(rounds.getLast().path("caps").path("rerank").asText()).isEqualTo("432ms");
    JsonNode before = at(rounds, FIRST_MOVE);
    assertThat(before.path("verdict").asText()).isEqualTo("Measured");
    assertThat(before.path("rules").get(0).path("changes"))
        .extracting(change -> change.path("stage").asText() + " " + change.path("to").asText())
        .containsExactly("embed 120ms", "search 607ms", "rerank 360ms");
    assertThat(at(rounds, FIRST_MOVE.plus(Duration.ofMinutes(5))).path("verdict").asText())
        .isEqualTo("TooFewSamples");
    assertThat(at(rounds, CommandRun.NOW).path("observed").path("full").asDouble())
        .isGreaterThan(before.path("observed").path("full").asDouble() + 0.1);
    JsonNode summary = json.path("summary");
    assertThat(summary.path("forecast").asDouble())
        .isCloseTo(summary.path("full").asDouble(), within(0.02));
  }

  @Test
  void replay_prints_one_line_a_round_and_a_summary() {
    CommandRun run = live("replay", "--from=-1h45m");

    assertThat(run.out())
        .contains("AT                     ANSWERS   FULL     DEGRADED   MISSED   EXPECTED")
        .containsPattern("\n2030-01-02T01:49:05Z +200 .* rerank 300ms→360ms = 8\\d\\.\\d %")
        .containsPattern("\n\\d+ of 21 rounds could be judged: \\d\\d\\.\\d % of the answers")
        .containsPattern("\nMaxQuality would have moved in \\d+: ");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void replay_of_a_time_without_figures_says_that_nothing_could_be_judged() {
    CommandRun run = live("replay", "--from=-20h", "--to=-10h");

    assertThat(run.out()).contains("0 of 120 rounds could be judged\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a journey that is not there | explain rj/faw -n shop | there is no RagJourney faw in namespace shop; see kubectl get rj -A",
        "another namespace | explain faq | there is no RagJourney faq in namespace default",
        "another kind | explain pod/faq | 'pod/faq' names no journey; write rj/NAME",
        "no journey | explain | name a journey, like rj/faq, or a manifest with -f FILE",
        "both | explain rj/faq -f x.yaml | name a journey or a manifest with -f, not both",
        "an unknown context | explain rj/faq --context prod | there is no context 'prod'; the kubeconfig has embedded",
        "no change | what-if rj/faq -n shop | say what would be different: --total",
        "no prometheus | what-if rj/faq -n shop --total 4s | no Prometheus is named; give --prometheus URL or set RAGJOURNEY_PROMETHEUS_URL",
        "prometheus away | what-if rj/faq -n shop --total 4s --prometheus http://127.0.0.1:1 | QueryFailed: no connection to http://127.0.0.1:1",
        "a wrong url | what-if rj/faq -n shop --total 4s --prometheus prom:9090 | --prometheus: Prometheus URL must look like http://host:9090",
        "a wrong matcher | replay rj/faq -n shop --prometheus http://p --prometheus-matcher a=b | --prometheus-matcher: extra matcher must look like cluster=\"eu\"",
        "an unknown stage | what-if rj/faq -n shop --prometheus http://p --cap rank=1s | --cap: 'rank' is not the name of a stage; the names are embed, search, rerank, generate",
        "a wrong duration | what-if rj/faq -n shop --prometheus http://p --cap rerank=1.5s | --cap rerank: '1.5s' has decimals; write 1s500ms.",
        "a cap beyond the total | what-if rj/faq -n shop --prometheus http://p --cap rerank=9s | --cap rerank: 9s is more than the whole budget of 3s",
        "a cap for generate | what-if rj/faq -n shop --prometheus http://p --cap generate=1s | --cap: generate has no cap; it takes what remains",
        "a wrong factor | what-if rj/faq -n shop --prometheus http://p --faster rerank=0 | --faster rerank: '0' is no factor from 0.001 to 1000",
        "a wrong time | replay rj/faq -n shop --from yesterday | --from: 'yesterday' is no time; write one like 2026-03-01T08:00:00Z, -6h or now",
        "times in the wrong order | replay rj/faq -n shop --from -1h --to -2h | is not before --to",
        "too short a range | replay rj/faq -n shop --from -2m | is less than one interval of 5m",
        "too long a range | replay rj/faq -n shop --from -2000h | are more than 11000 intervals of 5m; ask for a shorter range",
      })
  void what_cannot_be_done_is_told(String name, String arguments, String message) {
    List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(List.of("--kubeconfig", file("kubeconfig")));

    CommandRun run = CommandRun.of(all.toArray(String[]::new));

    assertThat(run.err()).as(name).contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void a_cluster_that_is_away_is_told_with_its_address() {
    write("away", server.kubeconfig().replace(server.url(), "http://127.0.0.1:1"));

    CommandRun run = CommandRun.of("explain", "rj/faq", "--kubeconfig", file("away"));

    assertThat(run.err()).contains("no answer from the cluster at http://127.0.0.1:1/: ");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  private static JsonNode at(List<JsonNode> rounds, Instant time) {
    return rounds.stream()
        .filter(round -> round.path("at").asText().equals(time.toString()))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode json(CommandRun run) {
    try {
      assertThat(run.err()).isEmpty();
      return new ObjectMapper().readTree(run.out());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String file(String name) {
    return directory.resolve(name).toString();
  }

  private static CommandRun live(String command, String... more) {
    List<String> all = new ArrayList<>(List.of("--prometheus", prometheus.url().toString()));
    all.addAll(List.of(more));
    return cluster(command, all.toArray(String[]::new));
  }

  private static CommandRun cluster(String command, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(command, "rj/faq", "-n", "shop", "--kubeconfig", file("kubeconfig")));
    all.addAll(List.of(more));
    return CommandRun.of(all.toArray(String[]::new));
  }
}
