package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.operator.observe.OptionalKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The objects that only some journeys have, and kinds that only some clusters have. */
class ExtrasIT {
  private final OperatorHarness operator = new OperatorHarness();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void parts_come_and_go_with_the_spec() {
    operator.start().apply(MINIMAL);
    operator.ready("faq");
    assertThat(find(PodDisruptionBudget.class)).isNotNull();
    assertThat(find(NetworkPolicy.class)).isNull();

    operator.apply(
        MINIMAL + "  workload: {networkPolicy: Managed, autoscaling: {maxReplicas: 4}}\n");
    await().until(() -> find(NetworkPolicy.class) != null);
    await().until(() -> find(HorizontalPodAutoscaler.class) != null);

    operator.apply(MINIMAL);
    await().until(() -> find(NetworkPolicy.class) == null);
    await().until(() -> find(HorizontalPodAutoscaler.class) == null);
    assertThat(find(PodDisruptionBudget.class)).isNotNull();
  }

  @Test
  void the_number_of_pods_stays_when_an_autoscaler_takes_over_and_is_the_specs_again_after_it() {
    operator.start().apply(MINIMAL + "  workload: {replicas: 5}\n");
    operator.ready("faq");

    operator.apply(MINIMAL + "  workload: {autoscaling: {minReplicas: 3, maxReplicas: 9}}\n");
    await().until(() -> find(HorizontalPodAutoscaler.class) != null);
    await().until(() -> !FieldOwners.owns(deployment(), Writer.MANAGER, "spec", "replicas"));
    assertThat(deployment().getSpec().getReplicas()).isEqualTo(5);

    scaledByAutoscaler(7);
    operator.quiet();
    assertThat(deployment().getSpec().getReplicas()).as("the autoscaler's").isEqualTo(7);

    operator.apply(MINIMAL + "  workload: {replicas: 4}\n");
    await().until(() -> deployment().getSpec().getReplicas() == 4);
    assertThat(find(HorizontalPodAutoscaler.class)).isNull();
  }

  @Test
  void a_kind_that_the_cluster_gets_later_is_noticed_and_one_that_goes_does_no_harm() {
    operator.start().apply(MINIMAL);
    operator.ready("faq");
    assertThat(operator.status("faq").path("conditions")).isNotEmpty();

    define(OptionalKind.POD_MONITOR);
    await().until(() -> monitor(OptionalKind.POD_MONITOR) != null);
    GenericKubernetesResource made = monitor(OptionalKind.POD_MONITOR);
    assertThat(made.getMetadata().getOwnerReferences().getFirst().getName()).isEqualTo("faq");

    operator
        .client
        .genericKubernetesResources(OptionalKind.POD_MONITOR.context())
        .inNamespace("default")
        .withName("faq")
        .delete();
    await()
        .until(
            () -> {
              GenericKubernetesResource again = monitor(OptionalKind.POD_MONITOR);
              return again != null
                  && !again.getMetadata().getUid().equals(made.getMetadata().getUid());
            });

    operator.apply(MINIMAL + "  monitoring: {podMonitor: Never}\n");
    await().until(() -> monitor(OptionalKind.POD_MONITOR) == null);
  }

  @Test
  void a_journey_that_insists_on_a_kind_which_the_cluster_lacks_is_told_and_serves() {
    operator.start().apply(MINIMAL + "  monitoring: {rules: Always}\n");
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");

    assertThat(operator.condition("faq", "Ready").path("message").asText())
        .contains("no kind PrometheusRule (monitoring.coreos.com/v1)", "spec.monitoring say Auto");
    assertThat(deployment()).as("the pipeline is there all the same").isNotNull();

    define(OptionalKind.PROMETHEUS_RULE);
    await().until(() -> monitor(OptionalKind.PROMETHEUS_RULE) != null);
    operator.ready("faq");
  }

  @Test
  void somebody_elses_monitor_of_the_journeys_name_is_left_alone() {
    define(OptionalKind.POD_MONITOR);
    GenericKubernetesResource theirs = new GenericKubernetesResource();
    theirs.setApiVersion(OptionalKind.apiVersion());
    theirs.setKind("PodMonitor");
    theirs.setMetadata(new ObjectMetaBuilder().withName("faq").withNamespace("default").build());
    theirs.setAdditionalProperty("spec", Map.of("selector", Map.of()));
    operator.client.resource(theirs).create();

    operator.start().apply(MINIMAL);
    operator.ready("faq");

    assertThat(monitor(OptionalKind.POD_MONITOR).getMetadata().getOwnerReferences()).isEmpty();
    assertThat(monitor(OptionalKind.POD_MONITOR).getMetadata().getLabels()).isNullOrEmpty();
  }

  private void scaledByAutoscaler(int replicas) {
    Deployment patch = new Deployment();
    patch.setMetadata(new ObjectMetaBuilder().withName("faq").withNamespace("default").build());
    patch.setSpec(new io.fabric8.kubernetes.api.model.apps.DeploymentSpec());
    patch.getSpec().setReplicas(replicas);
    operator
        .client
        .resource(patch)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("kube-controller-manager")
                .withForce(true)
                .build());
  }

  private Deployment deployment() {
    return operator.client.apps().deployments().inNamespace("default").withName("faq").get();
  }

  private <T extends HasMetadata> T find(Class<T> type) {
    return operator.client.resources(type).inNamespace("default").withName("faq").get();
  }

  private GenericKubernetesResource monitor(OptionalKind kind) {
    return operator
        .client
        .genericKubernetesResources(kind.context())
        .inNamespace("default")
        .withName("faq")
        .get();
  }

  private void define(OptionalKind kind) {
    CustomResourceDefinition crd =
        new CustomResourceDefinitionBuilder()
            .withNewMetadata()
            .withName(kind.plural() + "." + OptionalKind.GROUP)
            .endMetadata()
            .withNewSpec()
            .withGroup(OptionalKind.GROUP)
            .withScope("Namespaced")
            .withNewNames()
            .withKind(kind.kind())
            .withPlural(kind.plural())
            .withSingular(kind.kind().toLowerCase(java.util.Locale.ROOT))
            .endNames()
            .addNewVersion()
            .withName(OptionalKind.VERSION)
            .withServed(true)
            .withStorage(true)
            .endVersion()
            .endSpec()
            .build();
    operator.client.resource(crd).create();
  }
}
