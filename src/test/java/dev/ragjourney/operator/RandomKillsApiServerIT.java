package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.crd.SpecTable;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.prometheus.NotConfigured;
import dev.ragjourney.support.kubernetes.MortalClient;
import dev.ragjourney.support.kubernetes.ReadyPods;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Specs change all the time while operator after operator dies, each after some write of its own,
 * some before they saw the answer. In the end everything is as a fresh install of the same specs.
 */
@DisplayName("An operator killed again and again")
class RandomKillsApiServerIT {
  private static final int KILLS = Integer.getInteger("ragjourney.kills", 10);
  private static final int CHANGES = Integer.getInteger("ragjourney.kills.changes", 100);
  private static final long SEED = Long.getLong("ragjourney.kills.seed", 7);

  private static final String SHOP = "killed-shop";
  private static final String FRESH = "fresh-shop";
  private static final List<String> NAMES =
      IntStream.range(0, 5).mapToObj(i -> "faq-" + i).toList();

  /** What a spec of the table names; without it its pods would never be made. */
  private static final PriorityClass PRIORITY =
      new PriorityClassBuilder()
          .withNewMetadata()
          .withName("high")
          .endMetadata()
          .withValue(1)
          .build();

  private static final int MOST_WRITES = 20;
  private static final long NO_WRITE_LEFT_MILLIS = 4_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Random random = new Random(SEED);
  private final List<JsonNode> specs = SpecTable.valid().stream().map(Journeys::yaml).toList();
  private final Map<String, JsonNode> wanted = new HashMap<>();
  private Config config;
  private KubernetesClient client;
  private ReadyPods pods;
  private ReadyPods freshPods;

  /** What the dead say. */
  private static void hush(Level level) {
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io")).setLevel(level);
  }

  @BeforeEach
  void connect() {
    hush(Level.OFF);
    String path = System.getenv("RAGJOURNEY_TEST_KUBECONFIG");
    assertThat(path).as("RAGJOURNEY_TEST_KUBECONFIG; see src/test/cluster/README.md").isNotNull();
    config = Config.fromKubeconfig(new File(path));
    client = new KubernetesClientBuilder().withConfig(config).build();
    File[] definitions = Path.of("crds").toFile().listFiles();
    for (File definition : definitions) {
      try (var file = new java.io.FileInputStream(definition)) {
        client.load(file).forceConflicts().serverSideApply();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    for (String namespace : List.of(SHOP, FRESH)) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .serverSideApply();
    }
    client.resource(PRIORITY).serverSideApply();
    pods = new ReadyPods(client, SHOP);
    freshPods = new ReadyPods(client, FRESH);
  }

  @Test
  void ends_where_a_fresh_install_does() throws Exception {
    Random deaths = new Random(SEED + 1);
    int withinWork = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      try (MortalClient mortal =
              new MortalClient(config, deaths.nextInt(MOST_WRITES), deaths.nextBoolean());
          JourneyOperator operator = operator(mortal.client(), Set.of(SHOP))) {
        operator.start(() -> {});
        for (int change = 0; change < CHANGES / KILLS; change++) {
          change();
        }
        withinWork += mortal.died(NO_WRITE_LEFT_MILLIS) ? 1 : 0;
        mortal.die();
      }
    }
    assertThat(withinWork).as("kills in the middle of writes").isGreaterThan(KILLS / 2);
    wanted.forEach((name, spec) -> write(FRESH, name, spec));

    long started = System.nanoTime();
    try (JourneyOperator operator = operator(client, Set.of(SHOP, FRESH))) {
      operator.start(() -> {});
      await("the same objects as a fresh install has (seed %d)".formatted(SEED))
          .atMost(Duration.ofSeconds(240))
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(
              () -> {
                assertThat(observed(FRESH)).isTrue();
                assertThat(observed(SHOP)).isTrue();
                assertThat(contents(SHOP)).isEqualTo(contents(FRESH));
              });
    }
    System.out.printf(
        "%d kills (%d in the middle of writes) in %d changes of %d journeys: as a fresh install %d ms after the last%n",
        KILLS, withinWork, CHANGES, NAMES.size(), (System.nanoTime() - started) / 1_000_000);
  }

  private static JourneyOperator operator(KubernetesClient client, Set<String> namespaces) {
    return new JourneyOperator(
        client,
        new NotConfigured(),
        new OperatorSettings("ragjourney:test", 5, namespaces, true, Duration.ofSeconds(1), null),
        new OperatorMetrics(new CollectorRegistry()),
        Clock.systemUTC());
  }

  private void change() {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    JsonNode spec = specs.get(random.nextInt(specs.size()));
    wanted.put(name, spec);
    write(SHOP, name, spec);
  }

  /** As a tool that owns the spec and applies all of it. */
  private void write(String namespace, String name, JsonNode spec) {
    RawJourney journey = new RawJourney();
    journey.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(namespace).build());
    journey.setSpec(spec);
    client.resource(journey).fieldManager("user").forceConflicts().serverSideApply();
  }

  private boolean observed(String namespace) {
    List<RawJourney> journeys =
        client.resources(RawJourney.class).inNamespace(namespace).list().getItems();
    return journeys.size() == wanted.size()
        && journeys.stream()
            .allMatch(
                journey ->
                    journey.getStatus() != null
                        && journey.getStatus().path("observedGeneration").asLong()
                            == journey.getMetadata().getGeneration());
  }

  /** What is left when the history of a journey and the place of its namespace are left out. */
  private Map<String, JsonNode> contents(String namespace) throws IOException {
    Map<String, JsonNode> all = LiveObjects.contents(LiveObjects.of(client, namespace));
    Map<String, JsonNode> contents = new TreeMap<>();
    for (Map.Entry<String, JsonNode> object : all.entrySet()) {
      ObjectNode json =
          (ObjectNode) JSON.readTree(object.getValue().toString().replace(namespace, "NS"));
      String kind = json.path("kind").asText();
      String name = json.path("metadata").path("name").asText();
      if (json.path("metadata").path("annotations") instanceof ObjectNode annotations) {
        annotations.remove("deployment.kubernetes.io/revision");
        annotations.remove(Labels.PLAN_REVISION);
      }
      if (json.path("spec") instanceof ObjectNode spec) {
        spec.remove(List.of("clusterIP", "clusterIPs"));
        // Then it is the autoscaler's, which keeps what it finds.
        if (kind.equals("Deployment") && all.containsKey("HorizontalPodAutoscaler " + name)) {
          spec.remove("replicas");
        }
      }
      if (json.path("data").has(Plan.FILE)) {
        ObjectNode plan = (ObjectNode) JSON.readTree(json.path("data").path(Plan.FILE).asText());
        plan.remove(List.of("revision", "generation"));
        ((ObjectNode) json.path("data")).set(Plan.FILE, plan);
      }
      contents.put(object.getKey(), json);
    }
    return contents;
  }

  @AfterEach
  void remove() {
    hush(null);
    pods.close();
    freshPods.close();
    client.resource(PRIORITY).delete();
    for (String namespace : List.of(SHOP, FRESH)) {
      client.namespaces().withName(namespace).delete();
    }
    client.close();
  }
}
