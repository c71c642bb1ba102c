package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.plan.Plan;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code PlanDelivered} and {@code status.plan}.
 *
 * <ul>
 *   <li>True/Delivered: there are pods, and each runs the revision.
 *   <li>False/Waiting: no pods yet, or one runs another revision, or one that answers neither the
 *       operator nor the kubelet: it starts, or hangs.
 *   <li>Unknown/PodsUnreachable: every pod that answers runs it, others answer only the kubelet:
 *       something is between them and the operator.
 * </ul>
 *
 * <p>While pods have not been asked yet, what was told of this revision and number of pods stays.
 */
final class PlanFold {
  private PlanFold() {}

  /** Whether pods were not asked yet since something changed that status does not tell of. */
  static boolean undecided(Observation seen, @Nullable Plan plan) {
    RagJourneyStatus last = seen.journey().lastStatus();
    PlanStatus told = last == null ? null : last.plan();
    return plan != null
        && told != null
        && Objects.equals(told.revision(), plan.revision())
        && Objects.equals(told.pods(), seen.pods().size())
        && seen.pods().stream().anyMatch(pod -> !seen.answers().containsKey(pod.uid()));
  }

  static Verdict verdict(Observation seen, @Nullable Plan plan) {
    if (plan == null) {
      return Verdict.of(Types.PLAN_DELIVERED, false, "NoPlan", "there is no valid plan yet");
    }
    int pods = seen.pods().size();
    long on = onRevision(seen, plan);
    String count = "%d of %d pods run revision %d".formatted(on, pods, plan.revision());
    if (pods == 0) {
      return Verdict.of(
          Types.PLAN_DELIVERED,
          false,
          "Waiting",
          "no pods yet for revision %d".formatted(plan.revision()));
    }
    if (on == pods) {
      return Verdict.of(Types.PLAN_DELIVERED, true, "Delivered", count);
    }
    List<PodFacts> silent =
        seen.pods().stream()
            .filter(pod -> seen.answers().get(pod.uid()) instanceof PodAnswer.Unreachable)
            .toList();
    String message = silent.isEmpty() ? count : count + "; no answer from " + names(silent);
    return silent.size() == pods - on && silent.stream().allMatch(PodFacts::ready)
        ? Verdict.unknown(Types.PLAN_DELIVERED, "PodsUnreachable", message)
        : Verdict.of(Types.PLAN_DELIVERED, false, "Waiting", message);
  }

  private static String names(List<PodFacts> pods) {
    return pods.stream().map(PodFacts::name).sorted().limit(3).collect(Collectors.joining(", "));
  }

  static @Nullable PlanStatus status(Observation seen, @Nullable Plan plan) {
    if (plan == null) {
      return null;
    }
    RagJourneyStatus last = seen.journey().lastStatus();
    if (last != null && undecided(seen, plan)) {
      return last.plan();
    }
    int on = (int) onRevision(seen, plan);
    int pods = seen.pods().size();
    return new PlanStatus(plan.revision(), on, pods, on + "/" + pods);
  }

  private static long onRevision(Observation seen, Plan plan) {
    return seen.pods().stream()
        .filter(
            pod ->
                seen.answers().get(pod.uid()) instanceof PodAnswer.Running running
                    && running.revision() == plan.revision())
        .count();
  }
}
