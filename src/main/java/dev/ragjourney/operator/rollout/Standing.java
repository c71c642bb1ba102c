package dev.ragjourney.operator.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a journey stands to the pod template that this operator makes of its spec.
 *
 * @param why it failed; empty for the others
 */
public record Standing(JourneyId id, State state, String why) {
  /** Conditions of a spec whose pods are left as they are. */
  private static final Set<String> LEFT_ALONE = Set.of("InvalidSpec", "Unreadable", "NameTaken");

  /** The states. */
  public enum State {
    /** It is done, or nobody is served by it, so nothing can be lost. */
    ASIDE,
    /** All its pods serve, with another template. */
    WAITING,
    /** It serves with another template, and its pods are not all up to date and ready. */
    UNSETTLED,
    /** It serves, and takes the template. */
    ROLLING,
    /** Its pods of the template do not get ready by themselves; the former ones serve. */
    FAILED
  }

  /**
   * @param pods of the journey
   * @param wanted the template's digest; empty for a spec whose pods are left as they are
   */
  public static Standing of(
      RawJourney journey,
      @Nullable Deployment deployment,
      Collection<Pod> pods,
      Optional<String> wanted) {
    JourneyId id = journey.id();
    Standing aside = new Standing(id, State.ASIDE, "");
    if (deployment == null
        || wanted.isEmpty()
        || journey.getMetadata().getDeletionTimestamp() != null
        || leftAlone(journey)
        || ready(deployment) == 0) {
      return aside;
    }
    boolean settled = DesiredState.rolledOut(deployment);
    if (!LiveTemplate.digest(deployment).equals(wanted)) {
      return new Standing(id, settled ? State.WAITING : State.UNSETTLED, "");
    }
    boolean ownImage = ownImage(journey);
    if (settled || (ownImage && allOfTheTemplate(deployment))) {
      return aside;
    }
    Optional<String> failed =
        pods.stream()
            .filter(pod -> LiveTemplate.digest(pod).equals(wanted))
            .flatMap(pod -> LiveTemplate.stuck(pod).stream())
            .findFirst()
            .or(() -> overdue(deployment));
    if (ownImage && failed.equals(Optional.of(LiveTemplate.NO_IMAGE))) {
      return aside;
    }
    return failed
        .map(why -> new Standing(id, State.FAILED, why))
        .orElseGet(() -> new Standing(id, State.ROLLING, ""));
  }

  /** Such an image is not the operator's: it cannot be had, or crashes later, by itself. */
  private static boolean ownImage(RawJourney journey) {
    JsonNode spec = journey.getSpec();
    return spec != null && !spec.path("workload").path("image").asText("").isEmpty();
  }

  /** No pod of a former template is left: the new ones were ready once. */
  private static boolean allOfTheTemplate(Deployment deployment) {
    return Objects.equals(
            deployment.getStatus().getObservedGeneration(),
            deployment.getMetadata().getGeneration())
        && Objects.equals(
            deployment.getStatus().getUpdatedReplicas(), deployment.getStatus().getReplicas());
  }

  private static boolean leftAlone(RawJourney journey) {
    JsonNode status = journey.getStatus();
    if (status != null) {
      for (JsonNode condition : status.path("conditions")) {
        if (condition.path("type").asText().equals("Ready")) {
          return LEFT_ALONE.contains(condition.path("reason").asText());
        }
      }
    }
    return false;
  }

  /** Pods of a former template stay until those of the next are ready, so they count. */
  private static int ready(Deployment deployment) {
    return deployment.getStatus() == null
        ? 0
        : Objects.requireNonNullElse(deployment.getStatus().getReadyReplicas(), 0);
  }

  private static Optional<String> overdue(Deployment deployment) {
    return deployment.getStatus().getConditions() == null
        ? Optional.empty()
        : deployment.getStatus().getConditions().stream()
            .filter(condition -> "Progressing".equals(condition.getType()))
            .filter(condition -> "False".equals(condition.getStatus()))
            .map(condition -> "its rollout does not progress")
            .findFirst();
  }
}
