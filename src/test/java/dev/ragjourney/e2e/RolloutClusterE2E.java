package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import dev.ragjourney.e2e.OpenLoopClient.Form;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Changes that need new pods, while the old ones serve. */
@DisplayName("New pods come, old pods go, and no answer is lost on the way")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolloutClusterE2E {
  /** Questions a second. */
  private static final int RATE = Integer.getInteger("ragjourney.rollout.rate", 25);

  private static final int ROLLOUTS = Integer.getInteger("ragjourney.rollouts", 1);

  /** At least so many questions for each rollout; more where it takes longer. */
  private static final int QUESTIONS = Integer.getInteger("ragjourney.rollout.questions", 1_000);

  private static final Duration ROLLED_OUT_WITHIN = Duration.ofMinutes(5);

  /** Each streams for some seconds: longer than a pod that goes away takes new questions. */
  private static final Form LONG_STREAM = new Form(true, Map.of());

  private static final Map<String, String> HURRIED = Map.of("x-rag-budget-ms", "6000");
  private static final Form SHORT_STREAM = new Form(true, HURRIED);
  private static final Form SHORT = new Form(false, HURRIED);

  private Cluster cluster;
  private ServedJourney served;
  private Journey journey;
  private int passed;

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.connect();
    cluster.runOperator();
    cluster.alsoKnownAs("ragjourney:local", "ragjourney:again");
    served = ServedJourney.start(cluster, "rolling");
    journey = served.journey();
    served
        .scripted()
        .script(
            """
            [{"route": "/rolling/slow", "tokenGapMs": 400,
              "text": "one two three four five six seven eight nine ten eleven twelve thirteen"},
             {"route": "/rolling/quick", "delayMs": 50}]
            """);
  }

  @Test
  @Order(1)
  @DisplayName("1. rollouts under load: no request fails, and streams in flight come to their end")
  void no_request_fails_while_pods_are_replaced() throws Exception {
    long asked = 0;
    for (int i = 1; i <= ROLLOUTS; i++) {
      List<String> before = journey.starts();
      LoadReport report;
      long took;
      try (Background load = ask(i)) {
        long start = System.nanoTime();
        journey.patch(
            i % 2 == 1 ? image("ragjourney:" + (i % 4 == 1 ? "again" : "local")) : annotation(i));
        awaitRolledOut();
        took = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        load.awaitAsked(QUESTIONS);
        report = load.stop();
      }
      asked += report.replies().size();
      Cluster.report("Rollout %d took %d s".formatted(i, took));
      Cluster.report(report + ", streams " + report.count(reply -> reply.level().equals("long")));
      assertThat(report.replies()).hasSizeGreaterThanOrEqualTo(QUESTIONS).allMatch(Reply::answered);
      assertThat(report.replies().stream().filter(Reply::truncated)).as("broken off").isEmpty();
      assertThat(report.count(reply -> reply.level().equals("long"))).as("streams").isPositive();
      assertThat(journey.starts()).as("pods after the rollout").doesNotContainAnyElementsOf(before);
      assertThat(planMaps()).as("plans after the rollout").hasSize(1);
    }
    Cluster.report("%d rollouts, %d questions, none failed".formatted(ROLLOUTS, asked));
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName(
      "2. a rollout that waits for a Secret says so; old pods keep their own plan, killed or not")
  void old_pods_keep_their_plan_while_new_ones_wait_for_a_secret() throws Exception {
    follows(1);
    List<Pod> old = journey.pods();
    long before = RunningPlans.generation(old.getFirst());
    try (Background load = ask(100)) {
      long generation =
          journey.patch(
              """
              [{"op": "add", "path": "/spec/backends/0/headers", "value":
                [{"name": "x-access", "valueFrom": {"secretKeyRef": {"name": "later", "key": "token"}}}]}]
              """);
      await("status names the Secret")
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(
              () -> {
                assertThat(journey.condition("Ready").reason()).isEqualTo("SecretMissing");
                assertThat(journey.condition("Ready").message()).contains("later");
              });
      Cluster.report("While a Secret is missing: " + journey.condition("Ready").message());
      assertThat(journey.condition("PlanDelivered").status()).isEqualTo("False");
      assertThat(planMaps()).hasSize(2);
      assertThat(load.soFar()).as("while the new pod waits").allMatch(Reply::answered);

      long killed = System.nanoTime();
      PodProcess.of(cluster, old.getFirst()).kill();
      awaitRestarted(old.getFirst());
      long back = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
      for (Pod pod : old) {
        assertThat(RunningPlans.generation(current(pod)))
            .as("plan of an old pod")
            .isEqualTo(before);
      }
      Cluster.report("One of two pods killed, ready again after " + back + " ms: " + load.stop());

      cluster.apply(secret("first"));
      cluster.refreshMounts(journey);
      awaitRolledOut();
      for (Pod pod : journey.pods()) {
        assertThat(RunningPlans.generation(pod)).isEqualTo(generation);
      }
    }
    assertThat(planMaps()).as("plans after the rollout").hasSize(1);
    passed = 2;
  }

  @Test
  @Order(3)
  @DisplayName("3. a rotated Secret is used without a restart")
  void a_rotated_secret_is_used_without_a_restart() throws Exception {
    follows(2);
    List<String> pods = journey.starts();
    assertThat(token()).isEqualTo("first");
    cluster.apply(secret("second"));
    cluster.refreshMounts(journey);
    await("the new token is sent")
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(token()).isEqualTo("second"));
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(pods);
  }

  /** What the search was sent with by each pod; one that differs is the answer. */
  private String token() throws IOException, InterruptedException {
    String sent = "";
    for (var pod : journey.podAddresses()) {
      assertThat(served.client().ask(pod, "Which token?", HURRIED).answered()).isTrue();
      String now = served.scripted().lastHeader("/rolling/http/search", "x-access");
      sent = sent.isEmpty() || sent.equals(now) ? now : sent + " and " + now;
    }
    return sent;
  }

  private Secret secret(String token) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(journey.namespace())
        .withName("later")
        .endMetadata()
        .withStringData(Map.of("token", token))
        .build();
  }

  private static String image(String name) {
    return "[{\"op\": \"add\", \"path\": \"/spec/workload/image\", \"value\": \"" + name + "\"}]";
  }

  private static String annotation(int number) {
    return """
        [{"op": "add", "path": "/spec/workload/podTemplate", "value":
          {"annotations": {"example.com/rollout": "%d"}}}]
        """
        .formatted(number);
  }

  private Background ask(int seed) {
    return served
        .client()
        .askUntilStopped(
            "while pods are replaced",
            served.address(),
            new Arrivals(500_000, RATE, seed),
            i -> i % RATE == 0 ? LONG_STREAM : i % 5 == 1 ? SHORT_STREAM : SHORT);
  }

  private void awaitRolledOut() {
    journey.awaitObserved(Duration.ofSeconds(60));
    journey.awaitCondition("Ready", "True", ROLLED_OUT_WITHIN);
    journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
    await("old pods are gone")
        .atMost(Duration.ofSeconds(90))
        .until(
            () ->
                cluster
                        .client()
                        .pods()
                        .inNamespace(journey.namespace())
                        .withLabel(Journey.LABEL, journey.name())
                        .list()
                        .getItems()
                        .size()
                    == 2);
  }

  private void awaitRestarted(Pod pod) {
    await("the killed pod is back")
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(
            () -> {
              Pod now = current(pod);
              var container = now.getStatus().getContainerStatuses().getFirst();
              assertThat(container.getRestartCount()).isEqualTo(1);
              assertThat(container.getReady()).isTrue();
            });
  }

  private Pod current(Pod pod) {
    return cluster
        .client()
        .pods()
        .inNamespace(journey.namespace())
        .withName(pod.getMetadata().getName())
        .get();
  }

  private List<String> planMaps() {
    return cluster
        .client()
        .configMaps()
        .inNamespace(journey.namespace())
        .withLabel(Journey.LABEL, journey.name())
        .list()
        .getItems()
        .stream()
        .map(ConfigMap::getMetadata)
        .map(each -> each.getName())
        .filter(name -> name.startsWith("rolling-plan-"))
        .toList();
  }

  private void follows(int step) {
    assertThat(passed).as("the last step that passed").isEqualTo(step);
  }

  @AfterAll
  void stop() {
    Cluster.closeAll(served, cluster);
  }
}
