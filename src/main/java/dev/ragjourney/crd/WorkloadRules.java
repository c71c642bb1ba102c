package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.AutoscalingSpec;
import dev.ragjourney.crd.spec.PodOverlay;
import dev.ragjourney.crd.spec.ServiceAccountSpec;
import dev.ragjourney.crd.spec.WorkloadSpec;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The pods. */
final class WorkloadRules {
  private static final String PATH = "spec.workload.";
  private static final String OVERLAY = PATH + "podTemplate.";
  private static final String RESERVED_VARIABLES = "RAGJOURNEY_";
  private static final int FEWEST_REPLICAS = 2;
  private static final String CONTAINER = "pipeline";

  /** Volumes that the operator mounts itself. */
  private static final Pattern RESERVED_VOLUMES = Pattern.compile("tmp|plan|documents|secret-\\d+");

  private static final List<String> RESERVED_PATHS =
      List.of("/tmp", "/etc/ragjourney", "/var/lib/ragjourney");

  private WorkloadRules() {}

  static void check(WorkloadSpec workload, Findings findings) {
    if (workload.autoscaling() != null) {
      autoscaling(workload, workload.autoscaling(), findings);
    }
    ServiceAccountSpec account = workload.serviceAccount();
    if (account != null && account.name() != null && account.annotations() != null) {
      findings.conflict(
          PATH + "serviceAccount",
          "name and annotations are both given; annotations are for a ServiceAccount that is made.");
    }
    if (workload.podTemplate() != null) {
      overlay(workload.podTemplate(), findings);
    }
  }

  private static void autoscaling(
      WorkloadSpec workload, AutoscalingSpec autoscaling, Findings findings) {
    if (workload.replicas() != null) {
      findings.conflict(PATH + "replicas", "replicas and autoscaling are both given; keep one.");
    }
    int fewest = autoscaling.minReplicas() == null ? FEWEST_REPLICAS : autoscaling.minReplicas();
    if (fewest > Values.given(autoscaling.maxReplicas())) {
      findings.conflict(
          PATH + "autoscaling.minReplicas",
          "minReplicas %d is above maxReplicas %d.".formatted(fewest, autoscaling.maxReplicas()));
    }
    if (autoscaling.targetCPU() != null && WorkloadAssembly.percent(autoscaling.targetCPU()) == 0) {
      findings.invalid(
          PATH + "autoscaling.targetCPU",
          "'%s' can never be met; write a share above 0%%, like 70%%."
              .formatted(autoscaling.targetCPU()));
    }
    Map<String, Object> resources = workload.resources();
    if (resources != null && !resources.isEmpty() && !limitsCpu(resources)) {
      findings.conflict(
          PATH + "resources",
          "autoscaling aims at a share of the CPU request, and there is none; add requests.cpu.");
    }
  }

  /** A limit is the request where no request is given. */
  private static boolean limitsCpu(Map<String, Object> resources) {
    for (String part : List.of("requests", "limits")) {
      if (resources.get(part) instanceof Map<?, ?> amounts && amounts.get("cpu") != null) {
        return true;
      }
    }
    return false;
  }

  private static void overlay(PodOverlay overlay, Findings findings) {
    List<Map<String, Object>> env = Values.list(overlay.env());
    for (int i = 0; i < env.size(); i++) {
      String path = OVERLAY + "env[" + i + "].name";
      String name = name(env.get(i));
      if (name == null) {
        findings.required(path, "every variable has a name");
      } else if (name.startsWith(RESERVED_VARIABLES)) {
        findings.conflict(
            path,
            "'%s' is kept for the operator; names that begin with %s are."
                .formatted(name, RESERVED_VARIABLES));
      }
    }
    List<Map<String, Object>> volumes = Values.list(overlay.volumes());
    for (int i = 0; i < volumes.size(); i++) {
      String path = OVERLAY + "volumes[" + i + "].name";
      String name = name(volumes.get(i));
      if (name == null) {
        findings.required(path, "every volume has a name");
      } else if (RESERVED_VOLUMES.matcher(name).matches()) {
        findings.conflict(
            path,
            "'%s' is a volume of the operator's own, as are tmp, plan, documents and secret-0 …; choose another name."
                .formatted(name));
      }
    }
    mounts(overlay, findings);
    List<Map<String, Object>> sidecars = Values.list(overlay.sidecars());
    for (int i = 0; i < sidecars.size(); i++) {
      String path = OVERLAY + "sidecars[" + i + "].name";
      String name = name(sidecars.get(i));
      if (name == null) {
        findings.required(path, "every container has a name");
      } else if (name.equals(CONTAINER)) {
        findings.conflict(path, "'pipeline' is the journey's own container; choose another name.");
      }
    }
  }

  private static void mounts(PodOverlay overlay, Findings findings) {
    List<Map<String, Object>> mounts = Values.list(overlay.volumeMounts());
    for (int i = 0; i < mounts.size(); i++) {
      String path = OVERLAY + "volumeMounts[" + i + "].mountPath";
      if (!(mounts.get(i).get("mountPath") instanceof String mount) || mount.isEmpty()) {
        findings.required(path, "every mount has a path, like /etc/ssl/private");
      } else if (RESERVED_PATHS.stream()
          .anyMatch(own -> mount.equals(own) || mount.startsWith(own + "/"))) {
        findings.conflict(
            path,
            "'%s' is where the operator mounts its own; choose a path outside of %s."
                .formatted(mount, String.join(", ", RESERVED_PATHS)));
      }
    }
  }

  private static @Nullable String name(Map<String, Object> part) {
    return part.get("name") instanceof String name && !name.isEmpty() ? name : null;
  }
}
