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
 * How a journey stands to the default image.
 *
 * @param why it failed; empty for the others
 */
public record Standing(JourneyId id, State state, String why) {
  /** Conditions of a spec whose pods are left as they are. */
  private static final Set<String> LEFT_ALONE = Set.of("InvalidSpec", "Unreadable", "NameTaken");

  /** The states. */
  public enum State {
    /** It is done, has an image of its own, or nobody is served by it, so nothing can be lost. */
    ASIDE,
    /** All its pods serve, with another image. */
    WAITING,
    /** It serves with another image, and its pods are not all up to date and ready. */
    UNSETTLED,
    /** It serves, and takes the default image. */
    ROLLING,
    /** Its pods of the default image do not get ready by themselves; the former ones serve. */
    FAILED
  }

  /**
   * @param pods of the journey
   */
  public static Standing of(
      RawJourney journey,
      @Nullable Deployment deployment,
      Collection<Pod> pods,
      String defaultImage) {
    JourneyId id = journey.id();
    if (deployment == null
        || journey.getMetadata().getDeletionTimestamp() != null
        || ownImage(journey)
        || leftAlone(journey)
        || ready(deployment) == 0) {
      return new Standing(id, State.ASIDE, "");
    }
    Optional<String> image = LiveTemplate.image(deployment);
    boolean settled = DesiredState.rolledOut(deployment);
    if (!image.equals(Optional.of(defaultImage))) {
      return new Standing(id, settled ? State.WAITING : State.UNSETTLED, "");
    }
    if (settled) {
      return new Standing(id, State.ASIDE, "");
    }
    return pods.stream()
        .flatMap(pod -> LiveTemplate.stuck(pod, defaultImage).stream())
        .findFirst()
        .or(() -> overdue(deployment))
        .map(why -> new Standing(id, State.FAILED, why))
        .orElseGet(() -> new Standing(id, State.ROLLING, ""));
  }

  private static boolean ownImage(RawJourney journey) {
    JsonNode spec = journey.getSpec();
    return spec != null && !spec.path("workload").path("image").asText("").isEmpty();
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
