package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.crd.spec.AutoscalingSpec;
import dev.ragjourney.crd.spec.MaxStepSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.RebalanceSpec;
import dev.ragjourney.crd.spec.ServiceAccountSpec;
import dev.ragjourney.crd.spec.WorkloadSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rebalancing and the pods. */
final class OperationRules {
  static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofHours(24);
  private static final String RESERVED_VARIABLES = "RAGJOURNEY_";
  private static final int FEWEST_REPLICAS = 2;

  private OperationRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    if (spec.rebalance() != null) {
      rebalance(spec.rebalance(), findings);
    }
    if (spec.workload() != null) {
      workload(spec.workload(), findings);
    }
  }

  private static void rebalance(RebalanceSpec rebalance, Findings findings) {
    Duration interval = RebalanceAssembly.interval(rebalance);
    inRange("spec.rebalance.interval", interval, SHORTEST_INTERVAL, findings);
    inRange("spec.rebalance.window", RebalanceAssembly.window(rebalance), interval, findings);
    inRange(
        "spec.rebalance.cooldown", RebalanceAssembly.cooldown(rebalance), Duration.ZERO, findings);
    MaxStepSpec step = rebalance.maxStep();
    if (step != null) {
      if (step.up() != null && Values.share(step.up(), 0) <= 0) {
        findings.invalid(
            "spec.rebalance.maxStep.up",
            "'%s' lets no cap rise; write a share above 0%%, or mode: Recommend."
                .formatted(step.up()));
      }
      double down = Values.share(step.down(), RebalanceAssembly.MAX_STEP_DOWN);
      if (down <= 0 || down >= 1) {
        findings.invalid(
            "spec.rebalance.maxStep.down",
            "'%s' is out of range; a share above 0%% and below 100%% is right."
                .formatted(step.down()));
      }
    }
  }

  private static void inRange(String path, Duration value, Duration least, Findings findings) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      findings.invalid(
          path,
          "%s is out of range; from %s to %s is right."
              .formatted(format(value), format(least), format(LONGEST)));
    }
  }

  private static void workload(WorkloadSpec workload, Findings findings) {
    AutoscalingSpec autoscaling = workload.autoscaling();
    if (autoscaling != null) {
      if (workload.replicas() != null) {
        findings.conflict(
            "spec.workload.replicas", "replicas and autoscaling are both given; keep one.");
      }
      int fewest = autoscaling.minReplicas() == null ? FEWEST_REPLICAS : autoscaling.minReplicas();
      if (fewest > Values.given(autoscaling.maxReplicas())) {
        findings.conflict(
            "spec.workload.autoscaling.minReplicas",
            "minReplicas %d is above maxReplicas %d.".formatted(fewest, autoscaling.maxReplicas()));
      }
    }
    ServiceAccountSpec account = workload.serviceAccount();
    if (account != null && account.name() != null && account.annotations() != null) {
      findings.conflict(
          "spec.workload.serviceAccount",
          "name and annotations are both given; annotations are for a ServiceAccount that is made.");
    }
    variables(workload, findings);
  }

  private static void variables(WorkloadSpec workload, Findings findings) {
    if (workload.podTemplate() == null) {
      return;
    }
    List<Map<String, Object>> env = Values.list(workload.podTemplate().env());
    for (int i = 0; i < env.size(); i++) {
      @Nullable Object name = env.get(i).get("name");
      if (!(name instanceof String text) || text.isEmpty()) {
        findings.required(
            "spec.workload.podTemplate.env[" + i + "].name", "every variable has a name");
      } else if (text.startsWith(RESERVED_VARIABLES)) {
        findings.conflict(
            "spec.workload.podTemplate.env[" + i + "].name",
            "'%s' is kept for the operator; names that begin with %s are."
                .formatted(text, RESERVED_VARIABLES));
      }
    }
  }
}
