package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.Documents;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.Turn;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code Ready}, {@code Reconciling} and {@code Stalled}. Nothing about metrics.
 *
 * <table>
 * <caption>In this order, the first that holds</caption>
 * <tr><th>seen</th><th>Ready</th><th>Reconciling</th><th>Stalled</th></tr>
 * <tr><td>spec unreadable, invalid, name taken</td><td>False/that</td><td>False</td><td>True</td></tr>
 * <tr><td>API server refused an object</td><td>False/InvalidSpec</td><td>False</td><td>True</td></tr>
 * <tr><td>all pods ready, with a former operator's template</td><td>True/Serving</td><td>False/{@code
 * RolloutWaits} or {@code RolloutStopped}</td><td>False</td></tr>
 * <tr><td>Deployment rolled out</td><td>True/Serving</td><td>False</td><td>False</td></tr>
 * <tr><td>a pod misses a Secret or documents</td><td>False/that</td><td>True</td><td>False</td></tr>
 * <tr><td>rollout past its deadline</td><td>False/PodsNotReady</td><td>False</td><td>True</td></tr>
 * <tr><td>else</td><td>False/PodsNotReady</td><td>True</td><td>False</td></tr>
 * </table>
 */
final class ReadyFold {
  private static final int FINDINGS_SHOWN = 3;

  private ReadyFold() {}

  static List<Verdict> verdicts(Observation seen, Desired desired) {
    if (desired instanceof Desired.AsItIs stuck) {
      return stalled(stuck.reason(), problems(stuck.findings()) + serving(seen));
    }
    if (seen.refusal() != null) {
      return stalled(
          "InvalidSpec",
          "the API server refused %s: %s%s"
              .formatted(seen.refusal().object(), seen.refusal().message(), serving(seen)));
    }
    Deployment deployment = seen.deployment();
    if (deployment != null && DesiredState.rolledOut(deployment)) {
      int replicas = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
      String message =
          switch (replicas) {
            case 0 -> "scaled to 0 pods, as the spec asks for";
            case 1 -> "the only pod is up to date and ready";
            default -> "all %d pods are up to date and ready".formatted(replicas);
          };
      if (seen.turn() instanceof Turn.Waits(String reason, String why)) {
        return held(seen, deployment, reason, why);
      }
      return List.of(
          Verdict.of(Types.READY, true, "Serving", message),
          Verdict.of(Types.RECONCILING, false, "RolledOut", message),
          Verdict.of(Types.STALLED, false, "Progressing", "nothing is in the way"));
    }
    return notYet(seen, deployment);
  }

  /**
   * The pods do what the spec asks for, so the journey is ready and nobody has to wait for it: what
   * else they are made of is the operator's choice.
   */
  private static List<Verdict> held(
      Observation seen, Deployment deployment, String reason, String becomesOfIt) {
    String image = LiveTemplate.image(deployment).orElse("its image");
    boolean takesImage =
        seen.journey().reading() instanceof Reading.Valid(var parsed)
            && parsed.workload().image() == null
            && !image.equals(seen.defaultImage());
    String why =
        "%s %s"
            .formatted(
                takesImage
                    ? "the default image " + seen.defaultImage()
                    : "the operator's new pod template",
                becomesOfIt);
    int replicas = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    String message =
        "%s ready and run %s; %s"
            .formatted(
                replicas == 1 ? "the only pod is" : "all %d pods are".formatted(replicas),
                image,
                why);
    return List.of(
        Verdict.of(Types.READY, true, "Serving", message),
        Verdict.of(Types.RECONCILING, false, reason, why),
        Verdict.of(Types.STALLED, false, "Progressing", "nothing is in the way"));
  }

  private static List<Verdict> notYet(Observation seen, @Nullable Deployment deployment) {
    String message = progress(deployment);
    Optional<PodAnswer.Problem> missing =
        seen.answers().values().stream()
            .filter(PodAnswer.Running.class::isInstance)
            .map(answer -> ((PodAnswer.Running) answer).problem())
            .filter(problem -> !problem.reason().isEmpty())
            .findFirst();
    String reason = missing.map(PodAnswer.Problem::reason).orElse("PodsNotReady");
    Verdict ready =
        Verdict.of(
            Types.READY,
            false,
            reason,
            missing.map(problem -> named(seen, problem) + "; " + message).orElse(message));
    Optional<String> overdue = overdue(deployment);
    if (overdue.isPresent() && missing.isEmpty()) {
      return List.of(
          ready,
          Verdict.of(Types.RECONCILING, false, "Stalled", message),
          Verdict.of(Types.STALLED, true, "ProgressDeadlineExceeded", overdue.get()));
    }
    return List.of(
        ready,
        Verdict.of(Types.RECONCILING, true, "RollingOut", message),
        Verdict.of(Types.STALLED, false, "Progressing", "nothing is in the way"));
  }

  /** A pod knows only where the documents are mounted; a user knows them by what holds them. */
  private static String named(Observation seen, PodAnswer.Problem problem) {
    if (!problem.reason().equals("DocumentsMissing")
        || !(seen.journey().reading() instanceof Reading.Valid(var parsed))
        || parsed.documents() == null) {
      return problem.message();
    }
    String source =
        switch (parsed.documents()) {
          case Documents.FromConfigMap(String name) -> "ConfigMap " + name;
          case Documents.FromClaim(String claim) -> "PersistentVolumeClaim " + claim;
        };
    return source + ": " + problem.message();
  }

  private static List<Verdict> stalled(String reason, String message) {
    return List.of(
        Verdict.of(Types.READY, false, reason, message),
        Verdict.of(Types.RECONCILING, false, "Stalled", message),
        Verdict.of(Types.STALLED, true, reason, message));
  }

  private static String problems(List<Finding> findings) {
    String shown =
        findings.stream()
            .limit(FINDINGS_SHOWN)
            .map(finding -> finding.path() + ": " + sentence(finding.message()))
            .collect(Collectors.joining("; "));
    int more = findings.size() - FINDINGS_SHOWN;
    return more > 0 ? shown + "; and %d more".formatted(more) : shown;
  }

  /** On one line and without its full stop, since more may follow. */
  private static String sentence(String message) {
    String line = message.replace("\n", "; ");
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  private static String serving(Observation seen) {
    return seen.newestPlan()
        .map(LivePlan::plan)
        .map(plan -> ". The plan of generation %d keeps serving".formatted(plan.generation()))
        .orElse("");
  }

  private static String progress(@Nullable Deployment deployment) {
    DeploymentStatus status = deployment == null ? null : deployment.getStatus();
    if (deployment == null || status == null) {
      return "the pods are being made";
    }
    int wanted = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    return "%d of %d pods are up to date, %d are ready"
        .formatted(
            Objects.requireNonNullElse(status.getUpdatedReplicas(), 0),
            wanted,
            Objects.requireNonNullElse(status.getReadyReplicas(), 0));
  }

  private static Optional<String> overdue(@Nullable Deployment deployment) {
    if (deployment == null
        || deployment.getStatus() == null
        || deployment.getStatus().getConditions() == null) {
      return Optional.empty();
    }
    return deployment.getStatus().getConditions().stream()
        .filter(condition -> "Progressing".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .map(DeploymentCondition::getMessage)
        .map(message -> Objects.requireNonNullElse(message, "the rollout does not progress"))
        .findFirst();
  }
}
