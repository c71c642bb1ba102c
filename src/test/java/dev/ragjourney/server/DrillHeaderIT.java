package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Drill;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DrillHeaderIT {
  private static final String QUESTION = "{\"question\": \"why?\"}";
  private static final Plan DRILLED =
      SamplePlans.withPolicy(
          SamplePlans.smallest(), new JourneyPolicy(Enforcement.ENFORCE, true, 0, null, null));

  @TempDir Path directory;

  private final ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, null);

  private TestPod pod(Plan plan) throws Exception {
    return new TestPod(directory, new FakeBackends(), metrics -> journeys, 10).load(plan);
  }

  @ParameterizedTest(name = "{0} forces {1} to fail by {2}")
  @CsvSource({"rerank=timeout, rerank, TIMEOUT", "' search = error ', search, ERROR"})
  void a_journey_that_declares_drills_takes_them_from_its_callers(
      String header, String stage, Drill.Failure failure) throws Exception {
    try (TestPod pod = pod(DRILLED)) {
      assertThat(pod.ask(QUESTION, "x-rag-drill", header).statusCode()).isEqualTo(200);
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
      assertThat(journeys.asked.take().drill()).isEqualTo(new Drill(stage, failure));
      assertThat(journeys.asked.take().drill()).isNull();
    }
  }

  @ParameterizedTest(name = "\"{0}\" is refused with what would be right")
  @ValueSource(strings = {"", "rerank", "=", "rerank=", "rerank=slow", "rank=timeout", "a=b=c"})
  void a_drill_that_cannot_be_is_refused(String header) throws Exception {
    try (TestPod pod = pod(DRILLED)) {
      HttpResponse<String> response = pod.ask(QUESTION, "x-rag-drill", header);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(TestPod.json(response).path("detail").textValue())
          .isEqualTo(
              "x-rag-drill is \""
                  + header
                  + "\"; send STAGE=FAILURE with one of the stages [embed, search, rerank,"
                  + " generate] and one of [timeout, error]");
    }
  }

  @Test
  void a_journey_that_declares_none_refuses_them_and_runs_nothing() throws Exception {
    try (TestPod pod = pod(SamplePlans.smallest())) {
      HttpResponse<String> response = pod.ask(QUESTION, "x-rag-drill", "rerank=timeout");
      assertThat(response.statusCode()).isEqualTo(403);
      assertThat(TestPod.json(response).path("detail").textValue())
          .isEqualTo("the journey faq takes no drills; its owner allows them with spec.drill");
      assertThat(journeys.asked).isEmpty();
    }
  }
}
