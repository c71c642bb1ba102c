package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.Journeys;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DriftTest {
  private static final Drift.Finding AS_APPLIED = new Drift.Finding.AsApplied();

  static Stream<Arguments> harmless() {
    return Stream.of(
        Arguments.of(
            "the API server's defaults",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .withRestartPolicy("Always")
                        .withDnsPolicy("ClusterFirst")
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "a sidecar that an admission webhook adds",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .addToContainers(new ContainerBuilder().withName("mesh").build())
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "a variable that it adds",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .addToEnv(new EnvVarBuilder().withName("X").withValue("y").build())
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "an annotation of kubectl rollout restart",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations("kubectl.kubernetes.io/restartedAt", "now")
                        .endMetadata()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "a quantity in another spelling",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToRequests("cpu", new Quantity("0.25"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of("status", change(d -> d.withNewStatus().withReplicas(9).endStatus())));
  }

  @ParameterizedTest(name = "{0} is no drift")
  @MethodSource("harmless")
  void fields_that_are_not_declared_are_anybodys(String what, UnaryOperator<Deployment> change) {
    Deployment desired = desired();

    assertThat(Drift.of(desired, change.apply(desired))).isEqualTo(AS_APPLIED);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of("spec.replicas", change(d -> d.editSpec().withReplicas(7).endSpec())),
        Arguments.of(
            "spec.template.spec.containers[pipeline].image",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .withImage("other")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "spec.template.spec.containers[pipeline].resources.limits.memory",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToLimits("memory", new Quantity("2Gi"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "spec.template.spec.containers[pipeline].securityContext.capabilities.drop",
            change(
                d ->
                    d.editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .editSecurityContext()
                        .editCapabilities()
                        .addToDrop("X")
                        .endCapabilities()
                        .endSecurityContext()
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec())),
        Arguments.of(
            "metadata.labels.app.kubernetes.io/managed-by",
            change(
                d ->
                    d.editMetadata()
                        .removeFromLabels("app.kubernetes.io/managed-by")
                        .endMetadata())));
  }

  @ParameterizedTest(name = "a change of {0} is named")
  @MethodSource("changes")
  void a_declared_field_that_somebody_changed_is_named(
      String path, UnaryOperator<Deployment> change) {
    Deployment desired = desired();

    assertThat(Drift.of(desired, change.apply(desired))).isEqualTo(new Drift.Finding.Changed(path));
  }

  @Test
  void a_field_that_is_no_longer_wanted_makes_the_object_outdated() {
    Deployment live = desired();
    Deployment fewer =
        Journeys.find(
            Journeys.minimal().spec(Journeys.MINIMAL + "workload: {replicas: 1}\n").objects(),
            Deployment.class);

    assertThat(Drift.of(fewer, live)).isEqualTo(new Drift.Finding.Outdated());
    assertThat(Drift.of(fewer, null)).isEqualTo(new Drift.Finding.Outdated());
  }

  private static Deployment desired() {
    return Journeys.find(Journeys.minimal().objects(), Deployment.class);
  }

  private static UnaryOperator<Deployment> change(UnaryOperator<DeploymentBuilder> change) {
    return deployment -> change.apply(new DeploymentBuilder(deployment)).build();
  }
}
