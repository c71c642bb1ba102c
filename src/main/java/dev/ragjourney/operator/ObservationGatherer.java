package dev.ragjourney.operator;

import dev.ragjourney.crd.Reading;
import dev.ragjourney.operator.desired.Owner;
import dev.ragjourney.operator.desired.PlanObjects;
import dev.ragjourney.operator.desired.Template;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.JourneyReader;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.observe.Refusal;
import dev.ragjourney.operator.observe.Turn;
import dev.ragjourney.operator.rollout.Rollout;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every read of one reconcile. What the watches do not know is asked for before it is created. */
final class ObservationGatherer {
  private final KubernetesClient client;
  private final PlanDelivery delivery;
  private final Rounds rounds;
  private final Refusals refusals;
  private final ExtrasGatherer extras;
  private final String defaultImage;
  private final WantedTemplates templates;
  private final RolloutWaves waves;
  private final Supplier<Set<String>> unserved;
  private final Clock clock;

  ObservationGatherer(
      KubernetesClient client,
      PlanDelivery delivery,
      Rounds rounds,
      Refusals refusals,
      ExtrasGatherer extras,
      String defaultImage,
      WantedTemplates templates,
      RolloutWaves waves,
      Supplier<Set<String>> unserved,
      Clock clock) {
    this.client = client;
    this.delivery = delivery;
    this.rounds = rounds;
    this.refusals = refusals;
    this.extras = extras;
    this.defaultImage = defaultImage;
    this.templates = templates;
    this.waves = waves;
    this.unserved = unserved;
    this.clock = clock;
  }

  Observation gather(RawJourney raw, Children known) {
    Journey journey = JourneyReader.read(raw);
    Owner owner = Owner.of(journey);
    List<String> foreign = new ArrayList<>();
    boolean ownAccount =
        journey.reading() instanceof Reading.Valid(var parsed)
            && parsed.workload().serviceAccountName() == null;
    boolean valid = journey.reading() instanceof Reading.Valid;
    OwnedObjects objects = new OwnedObjects(client, owner, foreign);
    Deployment deployment = objects.find(Deployment.class, known.deployment(), valid);
    Service service = objects.find(Service.class, known.service(), valid);
    ServiceAccount account = objects.find(ServiceAccount.class, known.serviceAccount(), ownAccount);
    Refusal refusal = refusals.of(journey.id(), journey.generation());
    Turn turn =
        refusal == null && Rollout.concerns(journey, deployment, templates.of(journey))
            ? waves.ask(journey.id())
            : Turn.NOW;
    return new Observation(
        journey,
        plans(known.configMaps(), journey, owner, foreign, turn, deployment),
        deployment,
        service,
        account,
        extras.gather(journey, owner, known.extras(), objects),
        known.pods().stream()
            .filter(ObservationGatherer::stays)
            .map(ObservationGatherer::facts)
            .toList(),
        delivery.answers(journey.id()),
        foreign,
        rounds.latest(journey.id()),
        refusal,
        defaultImage,
        turn,
        unserved.get(),
        clock.instant());
  }

  private List<LivePlan> plans(
      List<ConfigMap> known,
      Journey journey,
      Owner owner,
      List<String> foreign,
      Turn turn,
      @Nullable Deployment deployment) {
    String prefix = owner.id().name() + "-plan-";
    List<LivePlan> plans = new ArrayList<>();
    known.stream()
        .filter(map -> map.getMetadata().getName().startsWith(prefix))
        .filter(owner::owns)
        .map(PlanObjects::read)
        .forEach(plans::add);
    if (journey.reading() instanceof Reading.Valid(var parsed)) {
      String name =
          Template.of(owner.id().name(), parsed, defaultImage, turn, deployment).planMap();
      if (plans.stream().noneMatch(plan -> plan.name().equals(name))) {
        ConfigMap found =
            client.configMaps().inNamespace(owner.id().namespace()).withName(name).get();
        if (found != null && owner.owns(found)) {
          plans.add(PlanObjects.read(found));
        } else if (found != null) {
          foreign.add("ConfigMap " + name);
        }
      }
    }
    return plans;
  }

  private static boolean stays(Pod pod) {
    String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    return pod.getMetadata().getDeletionTimestamp() == null
        && !"Failed".equals(phase)
        && !"Succeeded".equals(phase);
  }

  static PodFacts facts(Pod pod) {
    String announced =
        Optional.ofNullable(pod.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(Labels.PLAN_REVISION))
            .orElse("");
    return new PodFacts(
        pod.getMetadata().getName(),
        Objects.requireNonNullElse(pod.getMetadata().getUid(), ""),
        adminUrl(pod),
        ready(pod),
        announced,
        configMaps(pod));
  }

  private static @Nullable String adminUrl(Pod pod) {
    String ip = pod.getStatus() == null ? null : pod.getStatus().getPodIP();
    if (ip == null || ip.isEmpty()) {
      return null;
    }
    String host = ip.contains(":") ? "[" + ip + "]" : ip;
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .filter(port -> "admin".equals(port.getName()))
        .map(ContainerPort::getContainerPort)
        .findFirst()
        .map(port -> "http://" + host + ":" + port)
        .orElse(null);
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  private static Set<String> configMaps(Pod pod) {
    Set<String> names = new HashSet<>();
    if (pod.getSpec() != null && pod.getSpec().getVolumes() != null) {
      for (Volume volume : pod.getSpec().getVolumes()) {
        if (volume.getConfigMap() != null) {
          names.add(volume.getConfigMap().getName());
        }
      }
    }
    return names;
  }
}
