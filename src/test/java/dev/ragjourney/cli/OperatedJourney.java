package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.desired.PlanObjects;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.prometheus.PrometheusLatencySource;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.rebalance.Rungs;
import dev.ragjourney.support.kubernetes.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The journey shop/faq, as the operator's own decisions leave it round by round. */
final class OperatedJourney {
  static final JourneyId ID = new JourneyId("shop", "faq");

  private final String spec;
  private final Journeys journey;

  OperatedJourney(String spec) {
    this.spec = spec;
    journey = Journeys.minimal().spec(spec).rolledOut();
  }

  static ParsedJourney parsed(String spec) {
    return switch (RawSpecReader.read("faq", Journeys.yaml(spec))) {
      case Reading.Valid(var parsed) -> parsed;
      case Reading other -> throw new AssertionError("not valid: " + other);
    };
  }

  private LivePlan plan() {
    return PlanObjects.read(Journeys.find(journey.objects(), ConfigMap.class));
  }

  JourneyBudget inForce() {
    return plan().plan().budget();
  }

  /** A round at some time, carried out. */
  OperatedJourney round(URI prometheus, Instant at) {
    ParsedJourney parsed = parsed(spec);
    LatencyReading reading;
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(PrometheusSettings.of(prometheus))) {
      reading =
          source.read(at, parsed.rebalance().window(), parsed.rebalance().interval(), Set.of(ID));
    }
    LivePlan before = plan();
    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                before.plan().budget(),
                parsed.rebalance(),
                reading,
                ID,
                LastMove.remembered(before.lastMove(), Map.of()),
                at));
    journey.at(at).round(new Round(at, before.revision(), decision, Rungs.NONE)).rolledOut();
    journey.lastStatus(journey.status());
    return this;
  }

  /** Puts the resource, its status and its plan where a command finds them. */
  void into(EmbeddedApiServer server) {
    server.createNamespace(ID.namespace());
    try (KubernetesClient client = server.client()) {
      ConfigMap plan = Journeys.find(journey.objects(), ConfigMap.class);
      plan.getMetadata().setResourceVersion(null);
      // The owner is created here after it and gets another uid.
      plan.getMetadata().setOwnerReferences(List.of());
      client.resource(plan).inNamespace(ID.namespace()).create();
      RawJourney raw = new RawJourney();
      raw.setMetadata(
          new ObjectMetaBuilder().withName(ID.name()).withNamespace(ID.namespace()).build());
      raw.setSpec(Journeys.yaml(spec));
      RawJourney created = client.resource(raw).create();
      created.setStatus(new ObjectMapper().valueToTree(journey.status()));
      client.resource(created).updateStatus();
    }
  }
}
