package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.desired.PlanObjects;
import dev.ragjourney.operator.observe.Extras;
import dev.ragjourney.operator.observe.JourneyReader;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.observe.Refusal;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.operator.observe.Turn;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Observations of the minimal journey, changed by name. */
public final class Journeys {
  public static final String MINIMAL =
      """
      budget: {total: 3s}
      documents: {configMap: {name: faq-documents}}
      """;

  public static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private String spec = MINIMAL;
  private long generation = 1;
  private RagJourneyStatus lastStatus;
  private List<LivePlan> plans = List.of();
  private Deployment deployment;
  private Service service;
  private ServiceAccount serviceAccount;
  private RawJourney raw;
  private String image = "ragjourney:default";
  private Extras extras = Extras.NONE;
  private List<PodFacts> pods = List.of();
  private Map<String, PodAnswer> answers = Map.of();
  private List<String> foreign = List.of();
  private Round round;
  private Refusal refusal;
  private boolean paused;
  private Turn turn = Turn.NOW;
  private Set<String> unserved = Set.of();
  private Instant now = NOW;

  public static Journeys minimal() {
    return new Journeys();
  }

  public Journeys spec(String yaml) {
    spec = yaml;
    return this;
  }

  public Journeys generation(long newGeneration) {
    generation = newGeneration;
    return this;
  }

  public Journeys lastStatus(RagJourneyStatus status) {
    lastStatus = status;
    return this;
  }

  public Journeys plans(List<LivePlan> live) {
    plans = live;
    return this;
  }

  /** The resource itself instead of the minimal one. */
  public Journeys raw(RawJourney resource) {
    raw = resource;
    return this;
  }

  public Journeys image(String byDefault) {
    image = byDefault;
    return this;
  }

  public Journeys deployment(Deployment live) {
    deployment = live;
    return this;
  }

  public Journeys extras(Extras seen) {
    extras = seen;
    return this;
  }

  public Journeys pods(PodFacts... facts) {
    pods = List.of(facts);
    return this;
  }

  public Journeys answers(Map<String, PodAnswer> byUid) {
    answers = byUid;
    return this;
  }

  public Journeys foreign(String object) {
    foreign = List.of(object);
    return this;
  }

  public Journeys round(Round latest) {
    round = latest;
    return this;
  }

  public Journeys refusal(Refusal latest) {
    refusal = latest;
    return this;
  }

  public Journeys paused(boolean asked) {
    paused = asked;
    return this;
  }

  /** Fields that the cluster's CRD lacks. */
  public Journeys unserved(String... paths) {
    unserved = Set.of(paths);
    return this;
  }

  public Journeys turn(Turn told) {
    turn = told;
    return this;
  }

  public Journeys at(Instant time) {
    now = time;
    return this;
  }

  public Journeys deployment(UnaryOperator<DeploymentBuilder> change) {
    deployment = change.apply(new DeploymentBuilder(deployment)).build();
    return this;
  }

  public Journeys withoutDeployment() {
    deployment = null;
    return this;
  }

  /** Everything that is wanted is there, as an API server would have stored it. */
  public Journeys applied() {
    Desired.Objects wanted = objects();
    List<LivePlan> live = new ArrayList<>();
    List<HasMetadata> others = new ArrayList<>();
    for (HasMetadata object : wanted.apply()) {
      switch (object) {
        case ConfigMap map -> live.add(PlanObjects.read(stored(map)));
        case Deployment d -> deployment = d;
        case Service s -> service = s;
        case ServiceAccount a -> serviceAccount = a;
        default -> others.add(object);
      }
    }
    plans = live;
    extras = new Extras(others, extras.kinds(), extras.taken());
    return this;
  }

  /** Everything is there, and all replicas run and are ready. */
  public Journeys rolledOut() {
    applied();
    int replicas = deployment.getSpec().getReplicas();
    return deployment(
        d ->
            d.editMetadata()
                .withGeneration(1L)
                .endMetadata()
                .withNewStatus()
                .withObservedGeneration(1L)
                .withReplicas(replicas)
                .withUpdatedReplicas(replicas)
                .withReadyReplicas(replicas)
                .endStatus());
  }

  public Observation seen() {
    return seen(raw == null ? minimalResource() : raw);
  }

  private RawJourney minimalResource() {
    RawJourney raw = new RawJourney();
    raw.setMetadata(
        new ObjectMetaBuilder()
            .withName("faq")
            .withNamespace("shop")
            .withUid("uid-1")
            .withGeneration(generation)
            .withAnnotations(paused ? Map.of("ragjourney.dev/paused", "true") : null)
            .build());
    raw.setSpec(yaml(spec));
    raw.setStatus(lastStatus == null ? null : Writer.json(lastStatus));
    return raw;
  }

  private Observation seen(RawJourney raw) {
    return new Observation(
        JourneyReader.read(raw),
        plans,
        deployment,
        service,
        serviceAccount,
        extras,
        pods,
        answers,
        foreign,
        round,
        refusal,
        image,
        turn,
        unserved,
        now);
  }

  public Desired desired() {
    return DesiredState.of(seen());
  }

  public Desired.Objects objects() {
    return switch (desired()) {
      case Desired.Objects objects -> objects;
      case Desired.AsItIs stuck -> throw new AssertionError("not valid: " + stuck);
    };
  }

  public RagJourneyStatus status() {
    return ReconcilePlanner.plan(seen()).status();
  }

  private static ConfigMap stored(ConfigMap map) {
    return new ConfigMapBuilder(map).editMetadata().withResourceVersion("41").endMetadata().build();
  }

  public static JsonNode yaml(String text) {
    try {
      return YAMLMapper.builder().build().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static <T extends HasMetadata> T find(Desired.Objects desired, Class<T> type) {
    return desired.apply().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }
}
