package dev.ragjourney.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StandingTest {
  private static final String NEW = "digest-2";
  private static final String OLD = "digest-1";
  private static final String SPEC = "budget: {total: 3s}";
  private static final String OWN = "workload: {image: mine}";

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of("no pods yet", SPEC, "", null, List.of(), "ASIDE", ""),
        Arguments.of("done", SPEC, "", deployment(NEW, 2, 2), List.of(), "ASIDE", ""),
        Arguments.of(
            "serves with another template",
            SPEC,
            "",
            deployment(OLD, 2, 2),
            List.of(),
            "WAITING",
            ""),
        Arguments.of(
            "serves with another template, one pod is missing",
            SPEC,
            "",
            deployment(OLD, 2, 1),
            List.of(),
            "UNSETTLED",
            ""),
        Arguments.of(
            "serves nobody with another template",
            SPEC,
            "",
            deployment(OLD, 2, 0),
            List.of(),
            "ASIDE",
            ""),
        Arguments.of(
            "an image of its own, and another template",
            OWN,
            "",
            deployment(OLD, 2, 2),
            List.of(),
            "WAITING",
            ""),
        Arguments.of(
            "an image of its own crashes with the template while former pods serve",
            OWN,
            "",
            rolling(),
            List.of(pod(NEW, "CrashLoopBackOff", 1)),
            "FAILED",
            "its pod crashes"),
        Arguments.of(
            "an image of its own that crashes when all pods are of the template does so by itself",
            OWN,
            "",
            deployment(NEW, 2, 1),
            List.of(pod(NEW, "CrashLoopBackOff", 1)),
            "ASIDE",
            ""),
        Arguments.of(
            "an image of its own that cannot be had",
            OWN,
            "",
            rolling(),
            List.of(pod(NEW, "ImagePullBackOff", 0)),
            "ASIDE",
            ""),
        Arguments.of(
            "a spec whose pods are left as they are",
            SPEC,
            "InvalidSpec",
            deployment(OLD, 2, 2),
            List.of(),
            "ASIDE",
            ""),
        Arguments.of(
            "a name that is taken",
            SPEC,
            "NameTaken",
            deployment(OLD, 2, 2),
            List.of(),
            "ASIDE",
            ""),
        Arguments.of(
            "pods that are not ready are none that is left alone",
            SPEC,
            "PodsNotReady",
            deployment(OLD, 2, 1),
            List.of(),
            "UNSETTLED",
            ""),
        Arguments.of(
            "takes the template", SPEC, "", deployment(NEW, 2, 1), List.of(), "ROLLING", ""),
        Arguments.of(
            "the first pod of the template crashes",
            SPEC,
            "",
            rolling(),
            List.of(pod(NEW, "CrashLoopBackOff", 1)),
            "FAILED",
            "its pod crashes"),
        Arguments.of(
            "between two crashes it runs",
            SPEC,
            "",
            rolling(),
            List.of(pod(NEW, null, 1)),
            "FAILED",
            "its pod crashes"),
        Arguments.of(
            "the image is not there",
            SPEC,
            "",
            rolling(),
            List.of(pod(NEW, "ImagePullBackOff", 0)),
            "FAILED",
            "its image cannot be had"),
        Arguments.of(
            "the container cannot be made",
            SPEC,
            "",
            rolling(),
            List.of(pod(NEW, "CreateContainerError", 0)),
            "FAILED",
            "its container cannot be made"),
        Arguments.of(
            "the image is being pulled",
            SPEC,
            "",
            rolling(),
            List.of(pod(NEW, "ContainerCreating", 0)),
            "ROLLING",
            ""),
        Arguments.of(
            "a pod of the former template crashes",
            SPEC,
            "",
            rolling(),
            List.of(pod(OLD, "CrashLoopBackOff", 3)),
            "ROLLING",
            ""),
        Arguments.of(
            "too long without progress",
            SPEC,
            "",
            overdue(),
            List.of(),
            "FAILED",
            "its rollout does not progress"),
        Arguments.of(
            "crashes, and never served",
            SPEC,
            "",
            deployment(NEW, 2, 0),
            List.of(pod(NEW, "CrashLoopBackOff", 1)),
            "ASIDE",
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void how_a_journey_stands(
      String name,
      String spec,
      String ready,
      @Nullable Deployment deployment,
      List<Pod> pods,
      Standing.State state,
      String why) {
    RawJourney journey = journey(spec, ready, meta -> {});

    assertThat(Standing.of(journey, deployment, pods, Optional.of(NEW)))
        .isEqualTo(new Standing(new JourneyId("shop", "faq"), state, why));
  }

  @org.junit.jupiter.api.Test
  void one_that_goes_away_is_not_waited_for() {
    RawJourney journey =
        journey(SPEC, "", meta -> meta.withDeletionTimestamp("2030-01-02T03:04:05Z"));

    assertThat(
            Standing.of(journey, rolling(), List.of(pod(NEW, "ErrImagePull", 0)), Optional.of(NEW))
                .state())
        .isEqualTo(Standing.State.ASIDE);
  }

  @org.junit.jupiter.api.Test
  void one_whose_spec_wants_no_template_is_not_waited_for() {
    assertThat(
            Standing.of(
                    journey(SPEC, "", meta -> {}),
                    deployment(OLD, 2, 2),
                    List.of(),
                    Optional.empty())
                .state())
        .isEqualTo(Standing.State.ASIDE);
  }

  private static RawJourney journey(
      String spec, String ready, Consumer<ObjectMetaBuilder> metadata) {
    ObjectMetaBuilder meta = new ObjectMetaBuilder().withName("faq").withNamespace("shop");
    metadata.accept(meta);
    RawJourney journey = new RawJourney();
    journey.setMetadata(meta.build());
    journey.setSpec(Journeys.yaml(spec));
    if (!ready.isEmpty()) {
      journey.setStatus(
          Journeys.yaml(
              "conditions: [{type: Feasible, reason: InvalidSpec}, {type: Ready, reason: %s}]"
                  .formatted(ready)));
    }
    return journey;
  }

  private static Deployment rolling() {
    return new DeploymentBuilder(deployment(NEW, 2, 2))
        .editStatus()
        .withUpdatedReplicas(1)
        .endStatus()
        .build();
  }

  private static Deployment overdue() {
    return new DeploymentBuilder(rolling())
        .editStatus()
        .addNewCondition()
        .withType("Progressing")
        .withStatus("False")
        .endCondition()
        .endStatus()
        .build();
  }

  private static Deployment deployment(String template, int replicas, int ready) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("faq")
        .withGeneration(3L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withNewTemplate()
        .withNewMetadata()
        .addToAnnotations(Labels.TEMPLATE, template)
        .endMetadata()
        .endTemplate()
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(3L)
        .withReplicas(replicas)
        .withUpdatedReplicas(replicas)
        .withReadyReplicas(ready)
        .endStatus()
        .build();
  }

  private static Pod pod(String template, @Nullable String waits, int restarts) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("faq-1")
        .addToAnnotations(Labels.TEMPLATE, template)
        .endMetadata()
        .withNewStatus()
        .addNewContainerStatus()
        .withName("pipeline")
        .withReady(false)
        .withRestartCount(restarts)
        .withNewState()
        .withNewWaiting()
        .withReason(waits)
        .endWaiting()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }
}
