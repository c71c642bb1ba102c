package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.crd.status.RungStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Everything that an answer may fall back on, told by the resource alone, in real pods whose
 * backends misbehave on cue. Facts of answers, requests at the backends and metrics count here;
 * times do not.
 */
@DisplayName("The ladder on a real cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LadderClusterE2E {
  private static final String NAMESPACE = "ladder";
  private static final String QUESTION = "When does the reading room open?";

  private static final String EMBED = "/desk/http/embed";
  private static final String DOCS = "/desk/http/search";
  private static final String WEATHER = "/desk/http/tool";
  private static final String RERANK = "/desk/http/rerank";
  private static final String BIG = "/desk/big/v1/chat/completions";
  private static final String SMALL = "/desk/small/v1/chat/completions";

  private Cluster cluster;
  private PrometheusServer prometheus;
  private ScriptedPod scripted;
  private OpenLoopClient client;
  private ExecutorService threads;
  private Journey desk;
  private Journey notes;
  private RunningPod deskPod;
  private RunningPod notesPod;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    prometheus = new PrometheusServer(cluster);
    prometheus.start();
    client = new OpenLoopClient();
    threads = Executors.newVirtualThreadPerTaskExecutor();
    cluster.runOperator(prometheus.url());
    cluster.namespace(NAMESPACE);
    scripted = ScriptedPod.start(cluster, NAMESPACE);
    cluster.apply(Path.of("src/test/resources/e2e/ladder.yaml"), NAMESPACE);
    desk = new Journey(cluster, NAMESPACE, "desk");
    notes = new Journey(cluster, NAMESPACE, "notes");
    desk.awaitCondition("Ready", "True", Duration.ofSeconds(120));
    notes.awaitCondition("Ready", "True", Duration.ofSeconds(120));
    deskPod = new RunningPod(desk);
    notesPod = new RunningPod(notes);
    for (Journey journey : List.of(desk, notes)) {
      await("full answers of " + journey)
          .atMost(Duration.ofSeconds(30))
          .until(() -> client.ask(journey.service(), QUESTION).full());
    }
  }

  @BeforeEach
  void everything_is_healthy() throws Exception {
    scripted.reset();
  }

  @Test
  @Order(1)
  void a_broken_connection_is_cured_by_the_declared_retry() throws Exception {
    scripted.script(fault(WEATHER, "\"kind\":\"RESET\",\"times\":1"));

    Reply reply = ask(desk);

    assertThat(reply.full()).as("%s", reply).isTrue();
    assertThat(scripted.requests(WEATHER, "BROKEN_BY_SERVER")).isEqualTo(1);
    assertThat(scripted.requests(WEATHER, "ANSWERED")).isEqualTo(1);
    assertThat(deskPod.metric("rag_backend_call_seconds_count", "role=\"retry\"")).isEqualTo(1);
  }

  @Test
  @Order(2)
  void a_silent_read_gets_a_second_copy_and_the_loser_is_closed() throws Exception {
    double before = deskPod.metric("rag_hedges_total", "stage=\"rerank\"", "result=\"won\"");
    scripted.script(fault(RERANK, "\"kind\":\"HANG_BEFORE_HEADERS\",\"times\":1"));

    Reply reply = ask(desk);

    assertThat(reply.full()).as("%s", reply).isTrue();
    awaitRequests(RERANK, "CLOSED_BY_CLIENT", 1);
    assertThat(scripted.requests(RERANK, "ANSWERED")).isEqualTo(1);
    assertThat(deskPod.metric("rag_hedges_total", "stage=\"rerank\"", "result=\"won\""))
        .isEqualTo(before + 1);
  }

  @Test
  @Order(3)
  void neighbours_of_a_group_run_side_by_side_and_the_tool_s_text_reaches_the_model()
      throws Exception {
    scripted.script(
        "[{\"route\":\"%s\",\"delayMs\":700},".formatted(DOCS)
            + "{\"route\":\"%s\",\"delayMs\":700,\"text\":\"Snow until noon\"}]"
                .formatted(WEATHER));

    Future<Reply> asked = threads.submit(() -> ask(desk));
    await("the search, its early keyword search and the tool are asked at once")
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              JsonNode endings = scripted.seen().path("endings");
              return endings.path(DOCS).path("OPEN").asLong() == 2
                  && endings.path(WEATHER).path("OPEN").asLong() == 1;
            });

    Reply reply = asked.get();
    assertThat(reply.full()).as("%s", reply).isTrue();
    assertThat(reply.sources()).contains("weather").anyMatch(id -> id.startsWith("library.txt"));
    assertThat(scripted.lastBody(BIG)).contains("Snow until noon", QUESTION);
  }

  @Test
  @Order(4)
  void the_keyword_search_answers_when_the_embedder_hangs() throws Exception {
    scripted.script(fault(EMBED, "\"kind\":\"HANG_BEFORE_HEADERS\""));

    Future<Reply> asked = threads.submit(() -> ask(desk));
    await("the search has answered while the embedder still hangs")
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              JsonNode endings = scripted.seen().path("endings");
              return endings.path(EMBED).path("OPEN").asLong() == 1
                  && endings.path(DOCS).path("ANSWERED").asLong() == 1;
            });

    Reply reply = asked.get();

    assertThat(reply.answered()).as("%s", reply).isTrue();
    assertThat(reply.degraded()).as("%s", reply).isTrue();
    assertThat(reply.overBudget()).as("%s", reply).isFalse();
    assertThat(reply.skipped()).containsExactly("embed");
    assertThat(reply.sources()).anyMatch(id -> id.startsWith("library.txt"));
    assertThat(scripted.requests(DOCS)).as("the early one only").isEqualTo(1);
    awaitRequests(EMBED, "CLOSED_BY_CLIENT", 1);
  }

  @Test
  @Order(5)
  void a_drill_takes_a_rung_of_the_ladder_for_one_question() throws Exception {
    Reply drilled = client.ask(desk.service(), QUESTION, Map.of("x-rag-drill", "generate=error"));

    assertThat(drilled.answered()).as("%s", drilled).isTrue();
    assertThat(drilled.degraded()).as("%s", drilled).isTrue();
    assertThat(drilled.overBudget()).as("%s", drilled).isFalse();
    assertThat(scripted.requests(BIG)).as("the drilled model").isZero();
    assertThat(scripted.requests(SMALL, "ANSWERED")).as("its fallback").isEqualTo(1);
    assertThat(ask(desk).full()).as("the next question").isTrue();

    Reply refused = client.ask(notes.service(), QUESTION, Map.of("x-rag-drill", "generate=error"));
    assertThat(refused.status()).as("where the resource allows no drills").isEqualTo(403);
  }

  @Test
  @Order(6)
  void two_streaming_clients_of_openai_s_sdk_are_served_side_by_side() throws Exception {
    scripted.script("{\"route\":\"%s\",\"tokenGapMs\":50}".formatted(BIG));

    Future<SdkStream> one =
        threads.submit(() -> SdkStream.of(desk, "When does the reading room open?"));
    Future<SdkStream> two = threads.submit(() -> SdkStream.of(desk, "What does a lost card cost?"));
    awaitRequests(BIG, "OPEN", 2);

    assertThat(one.get().content()).contains("When does the reading room open?");
    assertThat(two.get().content()).contains("What does a lost card cost?");
    for (SdkStream streamed : List.of(one.get(), two.get())) {
      assertThat(streamed.pieces()).as("pieces of content").isGreaterThan(5);
      assertThat(streamed.facts().path("level").asText()).isEqualTo("full");
      assertThat(streamed.facts().path("degraded").asBoolean(true)).isFalse();
    }
  }

  @Test
  @Order(7)
  void the_breaker_leaves_a_hanging_reranker_alone_and_takes_it_back_when_it_is_healthy()
      throws Exception {
    scripted.script(fault(RERANK, "\"kind\":\"HANG_BEFORE_HEADERS\""));
    await("the breaker opens")
        .atMost(Duration.ofSeconds(40))
        .until(() -> reason(ask(desk), "rerank").equals("breaker"));
    assertThat(deskPod.metric("rag_breaker_state", "stage=\"rerank\"")).isEqualTo(2);
    assertThat(deskPod.metric("rag_stage_skipped_total", "\"rerank\"", "\"breaker\"")).isPositive();

    scripted.reset();
    await("the breaker closes")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> ask(desk).full() && deskPod.metric("rag_breaker_state", "stage=\"rerank\"") == 0);
  }

  @Test
  @Order(8)
  void the_answer_to_an_earlier_question_comes_when_the_model_hangs_and_only_where_it_fits()
      throws Exception {
    Reply first = ask(notes, "anna", QUESTION);
    assertThat(first.full()).as("%s", first).isTrue();
    await("the answer is kept")
        .atMost(Duration.ofSeconds(10))
        .until(() -> notesPod.metric("rag_cache_kept_total") >= 2);
    scripted.script(fault("/notes/v1", "\"kind\":\"HANG_BEFORE_HEADERS\""));

    Reply again = ask(notes, "anna", "When does the reading room open, please?");
    assertThat(again.degraded()).as("%s", again).isTrue();
    assertThat(again.overBudget()).as("%s", again).isFalse();
    JsonNode body = Objects.requireNonNull(again.body());
    assertThat(body.path("cached").asBoolean()).as("%s", again).isTrue();
    assertThat(body.path("level").asText()).isEqualTo("cached");
    assertThat(body.path("content"))
        .isEqualTo(Objects.requireNonNull(first.body()).path("content"));
    assertThat(again.sources()).isEqualTo(first.sources());

    assertStatic(ask(notes, "bob", QUESTION));
    assertStatic(ask(notes, "anna", "When does the reading room close?"));
    assertThat(notesPod.metric("rag_cache_lookups_total", "result=\"hit\"")).isEqualTo(1);
  }

  @Test
  @Order(9)
  void status_tells_which_rungs_have_worked() throws Exception {
    await("rungs of desk: the levels, and the fallback that the drill took")
        .atMost(Duration.ofSeconds(45))
        .untilAsserted(
            () ->
                assertThat(worked(desk))
                    .contains("level full", "fallback generate")
                    .doesNotContain("level sorry"));
    // One answer alone may fall between the last scrape of a slice and the first of the next.
    await("rungs of notes: cached and static")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              goDownEveryRungOfNotes();
              assertThat(worked(notes)).contains("level full", "level cached", "level sorry");
            });
    cluster.show("ladder-wide.txt", "get", "rj", "--namespace=" + NAMESPACE, "--output=wide");
    cluster.show("ladder-describe.txt", "describe", "rj", "desk", "--namespace=" + NAMESPACE);
    cluster.show("ladder-status.yaml", "get", "rj", "-n", NAMESPACE, "-o", "yaml");
  }

  @Test
  @Order(10)
  void observe_reaches_the_running_pod_and_then_nothing_is_cut_and_all_is_counted()
      throws Exception {
    String pod = deskPod.identity();
    patch("[{\"op\":\"add\",\"path\":\"/spec/enforcement\",\"value\":\"Observe\"}]");
    await("the pod runs the edited plan")
        .atMost(Duration.ofSeconds(60))
        .until(() -> deskPod.generation() == desk.resource().get().getMetadata().getGeneration());
    assertThat(Objects.requireNonNull(desk.status().effective()).enforcement())
        .isEqualTo("Observe");
    scripted.script("{\"route\":\"%s\",\"delayMs\":1200}".formatted(RERANK));

    Reply reply = ask(desk);

    assertThat(reply.full()).as("%s", reply).isTrue();
    JsonNode wouldCut = Objects.requireNonNull(reply.body()).path("wouldCut");
    assertThat(wouldCut.findValuesAsText("stage")).as("%s", wouldCut).containsExactly("rerank");
    assertThat(wouldCut.findValuesAsText("reason")).containsExactly("cap");
    assertThat(deskPod.metric("rag_stage_would_cut_total", "\"rerank\"", "\"cap\"")).isEqualTo(1);
    assertThat(deskPod.identity()).isEqualTo(pod);
  }

  @Test
  @Order(11)
  void an_edit_that_makes_no_sense_names_its_field_and_the_last_good_plan_serves_on()
      throws Exception {
    String pod = deskPod.identity();
    long good = deskPod.generation();
    patch("[{\"op\":\"replace\",\"path\":\"/spec/stages/4/backend\",\"value\":\"docs\"}]");
    desk.awaitCondition("Ready", "False", Duration.ofSeconds(30));

    assertThat(desk.condition("Ready").reason()).isEqualTo("InvalidSpec");
    assertThat(desk.condition("Ready").message())
        .contains("spec.stages[4].backend", "The plan of generation " + good + " keeps serving");
    assertThat(ask(desk).full()).isTrue();
    assertThat(deskPod.generation()).isEqualTo(good);

    patch("[{\"op\":\"replace\",\"path\":\"/spec/stages/4/backend\",\"value\":\"big\"}]");
    desk.awaitCondition("Ready", "True", Duration.ofSeconds(30));
    assertThat(deskPod.identity()).isEqualTo(pod);
  }

  private Reply ask(Journey journey) {
    return client.ask(journey.service(), QUESTION);
  }

  private Reply ask(Journey journey, String tenant, String question) {
    return client.ask(journey.service(), question, Map.of("x-rag-tenant", tenant));
  }

  private static void assertStatic(Reply reply) {
    assertThat(reply.answered()).as("%s", reply).isTrue();
    assertThat(reply.overBudget()).as("%s", reply).isTrue();
    JsonNode body = Objects.requireNonNull(reply.body());
    assertThat(body.path("cached").asBoolean()).as("%s", reply).isFalse();
    assertThat(body.path("level").asText()).as("%s", reply).isEqualTo("sorry");
  }

  /** Why a stage gave no result; empty where it did. */
  private static String reason(Reply reply, String stage) {
    for (JsonNode skipped : Objects.requireNonNull(reply.body()).path("skipped")) {
      if (skipped.path("stage").asText().equals(stage)) {
        return skipped.path("reason").asText();
      }
    }
    return "";
  }

  private static List<String> worked(Journey journey) {
    return Objects.requireNonNullElse(journey.status().rungs(), List.<RungStatus>of()).stream()
        .filter(rung -> rung.lastWorked() != null)
        .map(rung -> rung.level() == null ? "fallback " + rung.fallback() : "level " + rung.level())
        .toList();
  }

  private void goDownEveryRungOfNotes() throws Exception {
    scripted.reset();
    ask(notes, "anna", QUESTION);
    scripted.script(fault("/notes/v1", "\"kind\":\"HANG_BEFORE_HEADERS\""));
    ask(notes, "anna", "When does the reading room open, please?");
    ask(notes, "bob", QUESTION);
    scripted.reset();
  }

  private void awaitRequests(String path, String ending, long count) {
    await(count + " requests of " + path + " are " + ending)
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> scripted.requests(path, ending) == count);
  }

  private static String fault(String route, String fault) {
    return "{\"route\":\"%s\",\"faults\":[{%s}]}".formatted(route, fault);
  }

  private void patch(String operations) throws IOException {
    cluster.kubectl(
        "--namespace=" + NAMESPACE, "patch", "rj", "desk", "--type=json", "--patch=" + operations);
  }

  @AfterAll
  void stop() throws IOException {
    try {
      if (cluster != null) {
        cluster.show("ladder-events.txt", "get", "events", "--namespace=" + NAMESPACE);
        cluster.keepLogs(NAMESPACE);
        cluster.kubectl("delete", "rj", "--all", "--namespace=" + NAMESPACE);
        cluster.kubectl("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=90s");
      }
    } finally {
      close();
    }
  }

  private void close() {
    Cluster.closeAll(deskPod, notesPod, scripted, client, threads, prometheus, cluster);
  }
}
