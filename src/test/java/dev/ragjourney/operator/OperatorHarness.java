package dev.ragjourney.operator;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.support.kubernetes.EmbeddedApiServer;
import dev.ragjourney.support.kubernetes.RequestLog;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The operator on the embedded API server, with scripted pods and scripted rounds. */
final class OperatorHarness implements AutoCloseable {
  static final String MINIMAL =
      """
      apiVersion: ragjourney.dev/v1alpha1
      kind: RagJourney
      metadata: {name: faq}
      spec:
        budget: {total: 3s}
        documents: {configMap: {name: faq-documents}}
      """;

  static final RoundFigures NOTHING_MEASURED =
      new RoundFigures(
          Reasons.NO_TRAFFIC, "no calls yet", List.of(), RoundFigures.JourneyFigures.NONE);

  final EmbeddedApiServer server = EmbeddedApiServer.start();
  final KubernetesClient client = server.client();
  final ScriptedNode node = new ScriptedNode(client);

  /** What the next rounds decide. */
  volatile Function<RebalanceInput, RebalanceDecision> rule =
      input -> new RebalanceDecision.Hold(Reasons.NO_TRAFFIC, "caps stay", NOTHING_MEASURED);

  /** Of all operators that this one started. */
  final CollectorRegistry registry = new CollectorRegistry();

  /** Of pods whose workload names none, told to operators that start from now on. */
  volatile String image = "ragjourney:test";

  /** So many journeys take another image or template at a time, told to the next operators. */
  volatile int rollAtOnce = 5;

  private final OperatorMetrics metrics = new OperatorMetrics(registry);
  private final KubernetesClient operatorClient =
      new KubernetesClientBuilder().withConfig(ApiConnection.bounded(server.config())).build();
  private JourneyOperator operator;

  private JourneyOperator operator() {
    return new JourneyOperator(
        operatorClient,
        (_, _, _, _) -> new LatencyReading.Measured(Map.of()),
        input -> rule.apply(input),
        new OperatorSettings(
            image, rollAtOnce, Set.of("default"), true, Duration.ofMillis(200), null),
        metrics,
        Clock.systemUTC());
  }

  OperatorHarness start() {
    operator = operator();
    operator.start(() -> {});
    return this;
  }

  /** Another process takes over. */
  void restart() {
    restart(() -> {});
  }

  /** Another process takes over after something happened that neither saw. */
  void restart(Runnable between) {
    if (operator != null) {
      operator.close();
    }
    between.run();
    operator = operator();
    operator.start(() -> {});
  }

  void round() {
    operator.round();
  }

  void apply(String yaml) {
    RawJourney journey = read(yaml);
    journey.getMetadata().setNamespace("default");
    client.resource(journey).fieldManager("user").forceConflicts().serverSideApply();
  }

  private static RawJourney read(String yaml) {
    try {
      return YAMLMapper.builder().build().readValue(yaml, RawJourney.class);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  RawJourney journey(String name) {
    return client.resources(RawJourney.class).inNamespace("default").withName(name).get();
  }

  JsonNode status(String name) {
    RawJourney journey = journey(name);
    return journey == null || journey.getStatus() == null
        ? MissingNode.getInstance()
        : journey.getStatus();
  }

  JsonNode condition(String name, String type) {
    for (JsonNode condition : status(name).path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** Waits for a condition's status and reason, like {@code True/Serving}. */
  void awaitCondition(String name, String type, String expected) {
    await(name + " " + type + "=" + expected)
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              JsonNode condition = condition(name, type);
              return condition.path("status").asText() + "/" + condition.path("reason").asText();
            },
            expected::equals);
  }

  /** Rolls out and waits until the operator has seen it. */
  void ready(String name) {
    await().atMost(Duration.ofSeconds(20)).until(() -> node.deployment(name) != null);
    node.rollOut(name);
    awaitCondition(name, "Ready", "True/Serving");
    awaitCondition(name, "PlanDelivered", "True/Delivered");
  }

  Duration cap(String stage) {
    return node.plan("faq").budget().stages().stream()
        .filter(s -> s.name().equals(stage))
        .findFirst()
        .orElseThrow()
        .cap();
  }

  List<ConfigMap> plans() {
    return client
        .configMaps()
        .inNamespace("default")
        .withLabel(Labels.JOURNEY, "faq")
        .list()
        .getItems();
  }

  List<HasMetadata> children() {
    List<HasMetadata> children = new ArrayList<>();
    String selector = Labels.OWNED_SELECTOR;
    children.addAll(
        client.configMaps().inNamespace("default").withLabelSelector(selector).list().getItems());
    children.addAll(
        client.services().inNamespace("default").withLabelSelector(selector).list().getItems());
    children.addAll(
        client
            .serviceAccounts()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    children.addAll(
        client
            .apps()
            .deployments()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    return children;
  }

  /** What the objects of all journeys say, by kind and name. */
  Map<String, JsonNode> contents() {
    return LiveObjects.contents(LiveObjects.of(client, "default"));
  }

  List<String> events() {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .map(Event::getReason)
        .toList();
  }

  /** No write of the operator for longer than it takes it to react. */
  void quiet() {
    long[] last = {-1, 0};
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              long writes = operatorWrites().size();
              if (writes != last[0]) {
                last[0] = writes;
                last[1] = System.nanoTime();
              }
              return System.nanoTime() - last[1] > Duration.ofMillis(1200).toNanos();
            });
  }

  List<RequestLog.Entry> operatorWrites() {
    return server.requests().writes().stream().filter(OperatorHarness::byOperator).toList();
  }

  static boolean byOperator(RequestLog.Entry write) {
    return write.manager().startsWith("ragjourney-operator") || write.method().equals("DELETE");
  }

  @Override
  public void close() {
    if (operator != null) {
      operator.close();
    }
    operatorClient.close();
    client.close();
    node.close();
    server.close();
  }
}
