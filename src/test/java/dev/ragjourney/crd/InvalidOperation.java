package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Rebalancing and workloads that are refused. */
final class InvalidOperation {
  private static final String DOCUMENTS = "documents: {configMap: {name: d}}\n";
  private static final String PLAIN = "budget: {total: 3s}\n" + DOCUMENTS;

  private InvalidOperation() {}

  static List<SpecCase> all() {
    return List.of(
        plain(
            "a round comes at most once a second",
            "rebalance: {interval: 500ms}",
            "rebalance.interval",
            "InvalidValue"),
        plain(
            "a window is not shorter than the interval",
            "rebalance: {interval: 10m, window: 5m}",
            "rebalance.window",
            "InvalidValue"),
        plain(
            "a cooldown is at most a day",
            "rebalance: {cooldown: 25h}",
            "rebalance.cooldown",
            "InvalidValue"),
        plain(
            "a step up is above zero",
            "rebalance: {maxStep: {up: 0%}}",
            "rebalance.maxStep.up",
            "InvalidValue"),
        plain(
            "a step down leaves something",
            "rebalance: {maxStep: {down: 100%}}",
            "rebalance.maxStep.down",
            "InvalidValue"),
        plain(
            "a share of late samples is a percentage",
            "rebalance: {lateSampling: '0.01'}",
            "rebalance.lateSampling",
            "InvalidValue"),
        plain(
            "a mode is one of three", "rebalance: {mode: Auot}", "rebalance.mode", "InvalidValue"),
        plain(
            "replicas are not negative",
            "workload: {replicas: -1}",
            "workload.replicas",
            "InvalidValue"),
        plain(
            "an autoscaler owns the replicas",
            "workload: {replicas: 2, autoscaling: {maxReplicas: 4}}",
            "workload.replicas",
            "Conflict"),
        plain(
            "an autoscaler's range is not turned round",
            "workload: {autoscaling: {minReplicas: 5, maxReplicas: 4}}",
            "workload.autoscaling.minReplicas",
            "Conflict"),
        plain(
            "an existing ServiceAccount is not annotated",
            "workload: {serviceAccount: {name: a, annotations: {b: c}}}",
            "workload.serviceAccount",
            "Conflict"),
        refusedByReader(
            "a variable has a name",
            PLAIN + "workload: {podTemplate: {env: [{value: '1'}]}}",
            "spec.workload.podTemplate.env[0].name",
            "Required"),
        refusedByReader(
            "variables of the operator are not overwritten",
            PLAIN + "workload: {podTemplate: {env: [{name: RAGJOURNEY_PORT, value: '1'}]}}",
            "spec.workload.podTemplate.env[0].name",
            "Conflict"),
        byReader(
            "an autoscaler aims at more than nothing",
            "{autoscaling: {maxReplicas: 4, targetCPU: 0%}}",
            "autoscaling.targetCPU",
            "InvalidValue"),
        byReader(
            "an autoscaler needs a CPU request",
            "{autoscaling: {maxReplicas: 4}, resources: {requests: {memory: 1Gi}}}",
            "resources",
            "Conflict"),
        byReader(
            "a volume has a name",
            "{podTemplate: {volumes: [{emptyDir: {}}]}}",
            "podTemplate.volumes[0].name",
            "Required"),
        byReader(
            "volumes of the operator keep their names",
            "{podTemplate: {volumes: [{name: v, emptyDir: {}}, {name: secret-0, emptyDir: {}}]}}",
            "podTemplate.volumes[1].name",
            "Conflict"),
        byReader(
            "a mount has a path",
            "{podTemplate: {volumeMounts: [{name: v}]}}",
            "podTemplate.volumeMounts[0].mountPath",
            "Required"),
        byReader(
            "nothing is mounted over the operator's own folders",
            "{podTemplate: {volumeMounts: [{name: v, mountPath: /etc/ragjourney/plan}]}}",
            "podTemplate.volumeMounts[0].mountPath",
            "Conflict"),
        byReader(
            "a sidecar has a name",
            "{podTemplate: {sidecars: [{image: i}]}}",
            "podTemplate.sidecars[0].name",
            "Required"),
        byReader(
            "a sidecar is not the pipeline",
            "{podTemplate: {sidecars: [{name: pipeline, image: i}]}}",
            "podTemplate.sidecars[0].name",
            "Conflict"));
  }

  private static SpecCase byReader(String sentence, String workload, String path, String reason) {
    return refusedByReader(
        sentence, PLAIN + "workload: " + workload, "spec.workload." + path, reason);
  }

  private static SpecCase plain(String sentence, String fields, String path, String reason) {
    return refused(sentence, PLAIN + fields, "spec." + path, reason);
  }
}
