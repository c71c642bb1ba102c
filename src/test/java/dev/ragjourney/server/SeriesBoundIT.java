package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.JourneyListener.BackendCall;
import dev.ragjourney.pipeline.JourneyListener.LateEnd;
import dev.ragjourney.pipeline.JourneyListener.StageEnd;
import dev.ragjourney.pipeline.JourneyListener.StageStart;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.StageForm;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.pipeline.StageRoute;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.Questions;
import dev.ragjourney.support.SamplePlans;
import dev.ragjourney.telemetry.PrometheusListener;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many series one pod shows, counted on a scrape. */
@Timeout(60)
class SeriesBoundIT {
  private static final Pattern SAMPLE =
      Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*})? (NaN|[+-]Inf|[-+0-9.Ee]+)");

  @TempDir Path directory;

  @Test
  void a_pod_that_has_just_loaded_the_largest_sample_has_room_for_what_may_happen()
      throws Exception {
    try (TestPod pod = pod()) {
      assertThat(samples(pod)).hasSizeLessThan(1_700);
      assertThat(dropped(pod)).isZero();
    }
  }

  @Test
  void a_pod_to_which_everything_happened_shows_at_most_2000_series_and_says_what_it_left_out()
      throws Exception {
    try (TestPod pod = pod()) {
      Route route = RouteBuilder.build(SamplePlans.large(), backends(SamplePlans.large()));
      everything(pod.metrics, route);
      assertThat(samples(pod)).hasSizeLessThanOrEqualTo(PrometheusListener.MAX_SERIES);
      assertThat(samples(pod)).hasSizeGreaterThan(1_700);
      assertThat(dropped(pod)).isPositive();
    }
  }

  private TestPod pod() throws Exception {
    return new TestPod(
            directory,
            new FakeBackends(),
            metrics -> new ScriptedJourneys(Answer.Outcome.FULL, null),
            10)
        .load(SamplePlans.large());
  }

  private static Map<String, Backend> backends(Plan plan) {
    Map<String, Backend> opened = new HashMap<>();
    FakeBackends fakes = new FakeBackends();
    plan.backends()
        .forEach(b -> opened.put(b.name(), fakes.open(BackendUse.of(plan, b, fakes), List.of())));
    return opened;
  }

  private static void everything(PrometheusListener metrics, Route route) {
    for (StageRoute stage : route.stages()) {
      for (StageForm form : stage.formByLevel()) {
        metrics.stageStarted(new StageStart(route, stage.name(), form, 0, 1, 1, null));
        metrics.lateSampled(route, stage.name());
        metrics.probed(route, stage.name());
        for (StageOutcome outcome : StageOutcome.values()) {
          metrics.lateEnded(new LateEnd(route, stage.name(), form, 0, outcome, 1));
          for (Cut cut : Cut.values()) {
            metrics.stageEnded(
                new StageEnd(
                    route, stage.name(), form, 0, outcome, cut, 1, outcome, "partial", null));
          }
          for (StageCall.Role role : StageCall.Role.values()) {
            metrics.backendCalled(
                new BackendCall(route, stage.name(), form.backend(), role, outcome, null, 1));
          }
        }
      }
    }
    for (var level : route.budget().levels()) {
      for (Answer.Outcome outcome : Answer.Outcome.values()) {
        metrics.journeyEnded(
            route,
            Questions.asked(0),
            new Answer(
                "",
                outcome,
                0,
                level.name(),
                List.of(),
                List.of(),
                List.of(),
                1,
                1L,
                1,
                false,
                false,
                false,
                null,
                null,
                null));
      }
    }
  }

  private static List<String> samples(TestPod pod) throws Exception {
    List<String> samples =
        pod.get("/metrics").body().lines().filter(line -> !line.startsWith("#")).toList();
    assertThat(samples).allMatch(line -> SAMPLE.matcher(line).matches());
    assertThat(samples.stream().map(line -> line.substring(0, line.lastIndexOf(' '))))
        .doesNotHaveDuplicates();
    return samples;
  }

  private static double dropped(TestPod pod) throws Exception {
    return samples(pod).stream()
        .filter(line -> line.startsWith("rag_series_dropped_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
