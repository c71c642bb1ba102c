package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.pipeline.JourneyRunner;
import dev.ragjourney.pipeline.Machinery;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans that change under a pod that serves, with the real journey loop over fake backends. */
@Timeout(120)
class PlanReloadIT {
  private static final String QUESTION = "{\"question\": \"When does water boil?\"}";

  @TempDir Path directory;

  private final FakeBackends backends = new FakeBackends();
  private final Machinery machinery = Machinery.real();
  private TestPod pod;

  @BeforeEach
  void start() {
    pod =
        new TestPod(
            directory, backends, metrics -> new JourneyRunner(machinery, metrics)::run, 100);
  }

  @AfterEach
  void stop() {
    pod.close();
    machinery.close();
  }

  @Test
  void plans_change_under_load_without_a_failed_request() throws Exception {
    pod.load(SamplePlans.unhurried());
    AtomicBoolean done = new AtomicBoolean();
    int revisions = 40;
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> served = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        served.add(callers.submit(() -> askUntil(done)));
      }
      for (int revision = 2; revision <= revisions; revision++) {
        pod.load(changed(revision));
      }
      done.set(true);
      int requests = 0;
      for (Future<Integer> caller : served) {
        requests += caller.get();
      }
      assertThat(requests).as("requests while plans changed").isGreaterThan(revisions);
    }
    assertThat(pod.get("/plan").body()).contains("\"revision\":" + revisions + ",");
    await().atMost(Duration.ofSeconds(5)).until(() -> pod.plans.openBackends() == 1);
    assertThat(backends.closed.get()).isEqualTo(backends.opened.size() - 1);
    assertThat(backends.warmUps.get()).isEqualTo(backends.opened.size());
  }

  private int askUntil(AtomicBoolean done) throws Exception {
    int requests = 0;
    while (!done.get()) {
      HttpResponse<String> response = pod.ask(QUESTION);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(TestPod.json(response).path("degraded").booleanValue())
          .as(response.body())
          .isFalse();
      requests++;
    }
    return requests;
  }

  /** Another cap each time, and another backend every fourth time. */
  private static Plan changed(int revision) {
    Plan plan = SamplePlans.unhurried();
    plan = SamplePlans.withBudget(plan, withSearchCap(plan.budget(), 20_000 + revision));
    BackendPlan backend =
        SamplePlans.backend("embedded", "embedded", Map.of("edition", "" + revision / 4));
    return SamplePlans.withRevision(SamplePlans.withBackends(plan, List.of(backend)), revision);
  }

  private static JourneyBudget withSearchCap(JourneyBudget budget, long capMillis) {
    List<StageBudget> stages =
        budget.stages().stream()
            .map(s -> s.name().equals("search") ? s.withCap(Duration.ofMillis(capMillis)) : s)
            .toList();
    return budget.withStages(stages);
  }

  @Test
  void a_change_of_caps_keeps_the_backends_open_and_shows_in_the_metrics() throws Exception {
    pod.load(SamplePlans.smallest());
    Plan plan = SamplePlans.smallest();
    pod.load(
        SamplePlans.withRevision(
            SamplePlans.withBudget(plan, withSearchCap(plan.budget(), 450)), 2));
    assertThat(backends.opened).hasSize(1);
    assertThat(backends.closed.get()).isZero();
    assertThat(pod.getAdmin("/metrics").body())
        .contains(
            "rag_stage_cap_seconds{namespace=\"default\",journey=\"faq\",stage=\"search\",} 0.45",
            "rag_plan_revision{namespace=\"default\",journey=\"faq\",} 2.0",
            "rag_plan_reloads_total{namespace=\"default\",journey=\"faq\",result=\"loaded\",} 2.0");
  }

  @Test
  void documents_that_change_are_read_anew_while_the_former_ones_serve() throws Exception {
    pod.load(SamplePlans.smallest());
    backends.missing.add("indexing: 3 of 7 passages");
    backends.contents = "other documents";
    await().atMost(Duration.ofSeconds(10)).until(() -> backends.opened.size() == 2);
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    assertThat(pod.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(backends.closed.get()).as("the former one serves").isZero();

    backends.missing.clear();
    await().atMost(Duration.ofSeconds(10)).until(() -> backends.closed.get() == 1);
    assertThat(backends.opened.getLast().contents()).isEqualTo("other documents");
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    assertThat(TestPod.json(pod.get("/plan")).path("revision").longValue()).isEqualTo(1);
  }

  @Test
  void documents_that_change_again_while_they_are_read_are_read_once_more() throws Exception {
    pod.load(SamplePlans.smallest());
    backends.missing.add("indexing");
    backends.contents = "second";
    await().atMost(Duration.ofSeconds(10)).until(() -> backends.opened.size() == 2);
    backends.contents = "third";
    await().atMost(Duration.ofSeconds(10)).until(() -> backends.opened.size() == 3);
    assertThat(backends.closed.get()).as("the second was never needed").isEqualTo(1);
    backends.missing.clear();
    await().atMost(Duration.ofSeconds(10)).until(() -> backends.closed.get() == 2);
    assertThat(backends.opened)
        .extracting(BackendUse::contents)
        .containsExactly("", "second", "third");
  }

  @Test
  void a_plan_cut_in_half_is_reported_and_the_last_good_one_serves_on() throws Exception {
    pod.load(SamplePlans.smallest());
    String next = PlanCodec.write(changed(2));
    pod.mount.write(next.substring(0, next.length() / 2));
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> TestPod.json(pod.get("/plan")).hasNonNull("lastError"));
    assertThat(TestPod.json(pod.get("/plan")).path("lastError").textValue())
        .startsWith("not a whole JSON document");
    assertThat(TestPod.json(pod.get("/plan")).path("revision").longValue()).isEqualTo(1);
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    assertThat(pod.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(pod.get("/metrics").body())
        .contains(
            "rag_plan_reloads_total{namespace=\"default\",journey=\"faq\",result=\"refused\",}"
                + " 1.0");
    pod.mount.write(next);
    pod.awaitRevision(2);
    assertThat(TestPod.json(pod.get("/plan")).has("lastError")).isFalse();
  }

  @Test
  void a_plan_whose_backend_cannot_be_opened_leaves_nothing_open_and_the_last_good_one_serves_on()
      throws Exception {
    pod.load(SamplePlans.smallest());
    List<BackendPlan> two = new ArrayList<>(SamplePlans.smallest().backends());
    two.add(SamplePlans.backend("odd", "unknown", Map.of()));
    pod.mount.write(
        SamplePlans.withRevision(SamplePlans.withBackends(SamplePlans.smallest(), two), 2));
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> pod.get("/plan").body().contains("backends[odd] is of no known kind"));
    assertThat(pod.plans.openBackends()).isEqualTo(1);
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
  }

  @Test
  void a_plan_that_is_removed_is_reported_and_serves_on() throws Exception {
    pod.load(SamplePlans.smallest());
    Files.delete(directory.resolve("..data"));
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> pod.get("/plan").body().contains("there is no plan.json in"));
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
  }

  @Test
  void before_the_first_plan_the_pod_lives_and_says_why_it_is_not_ready() throws Exception {
    assertThat(pod.get("/livez").statusCode()).isEqualTo(200);
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> pod.get("/readyz").body().contains("there is no plan.json in " + directory));
    assertThat(pod.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(503);
    assertThat(pod.get("/plan").statusCode()).isEqualTo(200);
  }

  @Test
  void what_a_backend_is_missing_is_named_until_it_is_there() throws Exception {
    backends.missing.add("key \"token\" of Secret \"llm\" is not mounted");
    pod.mount.write(SamplePlans.smallest());
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> pod.getAdmin("/readyz").body().contains("Secret \\\"llm\\\" is not mounted"));
    assertThat(pod.getAdmin("/readyz").statusCode()).isEqualTo(503);
    assertThat(backends.warmUps.get()).isZero();
    backends.missing.clear();
    pod.awaitRevision(1);
    assertThat(pod.getAdmin("/readyz").statusCode()).isEqualTo(200);
    assertThat(backends.warmUps.get()).isEqualTo(1);
  }
}
