package dev.ragjourney.operator.observe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every read of one reconcile.
 *
 * @param journey the resource
 * @param plans the journey's plan ConfigMaps
 * @param deployment null when absent, like the next two
 * @param extras the other objects
 * @param pods that are not going away
 * @param answers what pods said, by uid; pods not asked yet are absent
 * @param foreign objects with a name that the journey needs and another owner, like {@code
 *     Deployment faq}
 * @param round the latest decision; null before the first
 * @param refusal the API server's last refusal for this spec; null for none
 * @param defaultImage of pods whose workload names none
 * @param turn whether pods that run another default image may take this one
 * @param unserved paths of fields that the cluster's CRD lacks, like {@code status.rungs}
 * @param now the time of the reconcile
 */
public record Observation(
    Journey journey,
    List<LivePlan> plans,
    @Nullable Deployment deployment,
    @Nullable Service service,
    @Nullable ServiceAccount serviceAccount,
    Extras extras,
    List<PodFacts> pods,
    Map<String, PodAnswer> answers,
    List<String> foreign,
    @Nullable Round round,
    @Nullable Refusal refusal,
    String defaultImage,
    Turn turn,
    Set<String> unserved,
    Instant now) {
  public Observation {
    plans = List.copyOf(plans);
    pods = List.copyOf(pods);
    answers = Map.copyOf(answers);
    foreign = List.copyOf(foreign);
    unserved = Set.copyOf(unserved);
  }

  public Observation withRefusal(Refusal newRefusal) {
    return with(deployment, service, newRefusal);
  }

  /**
   * With what was created meanwhile.
   *
   * @param applied as the API server answered
   */
  public Observation withCreated(Collection<HasMetadata> applied) {
    return with(
        deployment == null ? first(Deployment.class, applied) : deployment,
        service == null ? first(Service.class, applied) : service,
        refusal);
  }

  private Observation with(
      @Nullable Deployment newDeployment,
      @Nullable Service newService,
      @Nullable Refusal newRefusal) {
    return new Observation(
        journey,
        plans,
        newDeployment,
        newService,
        serviceAccount,
        extras,
        pods,
        answers,
        foreign,
        round,
        newRefusal,
        defaultImage,
        turn,
        unserved,
        now);
  }

  private static <T> @Nullable T first(Class<T> type, Collection<HasMetadata> objects) {
    return objects.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }

  /** The newest plan that can be read. */
  public Optional<LivePlan> newestPlan() {
    return plans.stream()
        .filter(live -> live.plan() != null)
        .max(Comparator.comparingLong(LivePlan::revision));
  }
}
