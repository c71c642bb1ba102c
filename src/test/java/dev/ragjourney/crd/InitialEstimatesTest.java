package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a tool's cap is before anything is known of it. */
class InitialEstimatesTest {
  @ParameterizedTest(name = "{0}, decided in {1}, of {2}: {3}")
  @CsvSource({
    "https://weather.example/v1, 200ms, 8s, 2s",
    "https://weather.example/v1, , 8s, 2s",
    "https://weather.example/v1, 50ms, 8s, 500ms",
    "https://weather.example/v1, 1s, 8s, 8s",
    "https://weather.example/v1, , 1s, 1s",
    "http://localhost:9000/calc, 1s, 8s, 250ms",
    "http://127.0.0.1:9000/calc, 1s, 8s, 250ms",
    "'http://[::1]:9000/calc', 1s, 8s, 250ms",
    "http://localhost:9000/calc, , 200ms, 200ms",
    "http://127-0-0-1.example/calc, , 8s, 2s",
    ", , 8s, 250ms"
  })
  void a_remote_tool_gets_ten_decisions_and_a_local_one_250_ms_within_the_total(
      @Nullable String url, @Nullable String decision, String total, String cap) {
    assertThat(
            InitialEstimate.cap(
                url, decision == null ? null : Durations.parse(decision), Durations.parse(total)))
        .isEqualTo(Durations.parse(cap));
  }

  private static JourneyBudget read(String tool, String generate, String url) {
    String yaml =
        """
        budget: {total: 8s}
        documents: {configMap: {name: d}}
        stages:
        - {name: search, type: Search}
        - {name: weather, type: Tool, backend: weather%s}
        - {name: generate, type: Generate%s}
        backends:
        - {name: weather, http: {url: "%s"}}
        """
            .formatted(tool, generate, url);
    SpecReading reading = SpecReader.read("faq", Yaml.read(yaml, RagJourneySpec.class));
    assertThat(reading).isInstanceOf(SpecReading.Valid.class);
    return ((SpecReading.Valid) reading).journey().budget();
  }

  @ParameterizedTest(name = "tool{0}, generate{1} at {2}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''|https://w.example/|2s",
        "''|', expected: {p50: 120ms, p95: 1s}'|https://w.example/|1s200ms",
        "''|', expected: {p50: 120ms, p95: 1s}'|http://localhost:9000/|250ms",
        "', cap: 700ms'|''|https://w.example/|700ms",
        "', expected: {p50: 50ms, p95: 75ms}'|''|https://w.example/|90ms"
      })
  void the_resource_takes_the_estimate_only_where_it_says_nothing(
      String tool, String generate, String url, String cap) {
    StageBudget weather = read(tool, generate, url).stages().get(1);

    assertThat(weather.cap()).isEqualTo(Durations.parse(cap));
    assertThat(weather.declaredCap()).isEqualTo(Durations.parse(cap));
  }

  @ParameterizedTest(name = "expected {0} is an asynchronous job")
  @CsvSource({"9s, 9s", "1s, 12s"})
  void work_longer_than_the_budget_is_refused_as_a_stage(String p50, String p95) {
    JourneyBudget budget =
        read(
            ", floor: 10ms, cap: 2s, expected: {p50: %s, p95: %s}".formatted(p50, p95),
            "",
            "https://w.example/");

    assertThat(Feasibility.check(budget)).isInstanceOf(Feasibility.Refused.class);
    Finding finding = ((Feasibility.Refused) Feasibility.check(budget)).findings().getFirst();
    assertThat(finding.path()).isEqualTo("spec.stages[1]");
    assertThat(finding.reason()).isEqualTo("AsyncWork");
    assertThat(finding.message()).contains("asynchronous job");
  }

  @ParameterizedTest
  @CsvSource({"1s, 12s"})
  void an_optional_stage_may_be_late_at_its_p95(String p50, String p95) {
    JourneyBudget budget =
        read(
            ", optional: true, cap: 2s, expected: {p50: %s, p95: %s}".formatted(p50, p95),
            "",
            "https://w.example/");

    assertThat(Feasibility.check(budget).feasible()).isTrue();
    assertThat(budget.stages().get(1).cap()).isEqualTo(Duration.ofSeconds(2));
  }
}
