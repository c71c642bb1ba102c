package dev.ragjourney.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.pipeline.JourneyListener.LateEnd;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a pod did only to learn, on the scrape. */
class LearningMetricsTest {
  private static final String TEXT = Exposition.contentType(null);
  private static final String NAMES = "namespace=\"shop\",journey=\"assistant\",";
  private static final String LATE = "rag_stage_late_seconds_count";

  /** Of its stages only rerank is sampled: search has a fallback, embed computes in the pod. */
  private static final Plan PLAN = SamplePlans.large();

  private final PrometheusListener metrics = new PrometheusListener();

  private String scrape() throws IOException {
    StringWriter text = new StringWriter();
    new Exposition(metrics).write(text, TEXT);
    return text.toString();
  }

  private String line(String metric, String labels) throws IOException {
    String start = metric + "{" + NAMES + labels + "} ";
    List<String> found = scrape().lines().filter(line -> line.startsWith(start)).toList();
    return found.size() == 1 ? found.getFirst().substring(start.length()) : "absent" + found;
  }

  private static String late(String outcome) {
    return "stage=\"rerank\",variant=\"v0\",outcome=\"" + outcome + "\",";
  }

  private static LateEnd ended(String variant, StageOutcome outcome) {
    return new LateEnd(
        Events.route(PLAN), "rerank", Events.form(variant), 0, outcome, 2_500_000_000L);
  }

  @Test
  void what_is_computed_with_begins_at_zero() throws Exception {
    metrics.planLoaded(PLAN);

    assertThat(line("rag_stage_late_sampled_total", "stage=\"rerank\",")).isEqualTo("0.0");
    assertThat(line(LATE, late("success"))).isEqualTo("0.0");
    assertThat(line(LATE, late("timeout"))).isEqualTo("0.0");
    for (String stage : List.of("rewrite", "embed", "search", "rerank", "generate")) {
      assertThat(line("rag_probes_total", "stage=\"" + stage + "\",")).isEqualTo("0.0");
    }
  }

  @Test
  void a_stage_that_is_never_sampled_shows_no_late_calls() throws Exception {
    metrics.planLoaded(PLAN);

    assertThat(
            scrape()
                .lines()
                .filter(line -> line.startsWith("rag_stage_late"))
                .filter(line -> !line.contains("stage=\"rerank\"")))
        .isEmpty();
  }

  @Test
  void a_pod_that_learns_nothing_shows_nothing() throws Exception {
    metrics.planLoaded(SamplePlans.withPolicy(PLAN, JourneyPolicy.PLAIN));

    assertThat(scrape().lines().filter(line -> !line.startsWith("#")))
        .noneMatch(line -> line.startsWith("rag_stage_late") || line.startsWith("rag_probes"));
  }

  @Test
  void a_late_end_is_counted_by_its_outcome_and_its_whole_time() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.lateSampled(Events.route(PLAN), "rerank");
    metrics.lateEnded(ended("v0", StageOutcome.SUCCESS));
    metrics.lateEnded(ended("v0", StageOutcome.ERROR));

    assertThat(line("rag_stage_late_sampled_total", "stage=\"rerank\",")).isEqualTo("1.0");
    assertThat(line(LATE, late("success"))).isEqualTo("1.0");
    assertThat(line(LATE, late("error"))).isEqualTo("1.0");
    assertThat(line(LATE, late("timeout"))).isEqualTo("0.0");
    assertThat(line("rag_stage_late_seconds_sum", late("success"))).isEqualTo("2.5");
  }

  @Test
  void its_boundaries_are_those_of_the_stages_time() throws Exception {
    metrics.planLoaded(PLAN);

    assertThat(boundaries("rag_stage_late_seconds_bucket"))
        .isEqualTo(boundaries("rag_stage_duration_seconds_bucket"))
        .hasSizeGreaterThan(20);
  }

  private List<String> boundaries(String metric) throws IOException {
    return scrape()
        .lines()
        .filter(line -> line.startsWith(metric) && line.contains("stage=\"rerank\""))
        .map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
        .distinct()
        .toList();
  }

  @Test
  void a_form_that_the_plan_does_not_know_is_not_counted() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.lateEnded(ended("v7", StageOutcome.SUCCESS));
    metrics.lateSampled(Events.route(PLAN), "gone");
    metrics.probed(Events.route(PLAN), "gone");

    assertThat(scrape()).doesNotContain("v7").doesNotContain("\"gone\"");
  }

  @Test
  void a_stage_on_trial_is_counted() throws Exception {
    metrics.planLoaded(PLAN);
    metrics.probed(Events.route(PLAN), "generate");

    assertThat(line("rag_probes_total", "stage=\"generate\",")).isEqualTo("1.0");
  }
}
