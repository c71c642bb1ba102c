package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LiveTemplate;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator with a new default image, or with another pod template, takes over a fleet. */
class RolloutIT {
  private static final String FORMER = "ragjourney:test";
  private static final String NEXT = "ragjourney:next";
  private static final String ANOTHER = "-XX:+UseSerialGC";
  private static final List<String> FLEET =
      IntStream.range(0, 9).mapToObj("j%02d"::formatted).toList();

  private final OperatorHarness operator = new OperatorHarness().start();

  @BeforeEach
  void a_fleet_that_serves() {
    FLEET.forEach(name -> operator.apply(manifest(name)));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(images().keySet()).containsAll(FLEET));
    FLEET.forEach(operator.node::rollOut);
    FLEET.forEach(name -> operator.awaitCondition(name, "Ready", "True/Serving"));
    operator.quiet();
  }

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void five_take_the_image_at_a_time_in_order_and_a_restart_changes_nothing() {
    upgrade();
    awaitWith(NEXT, first(5));
    operator.awaitCondition("j05", "Reconciling", "False/RolloutWaits");
    assertThat(operator.condition("j05", "Ready").path("message").asText())
        .contains("2 pods are ready and run ragjourney:test")
        .contains("the default image ragjourney:next waits its turn");
    operator.quiet();
    assertThat(with(NEXT)).isEqualTo(first(5));

    operator.restart();
    operator.quiet();
    assertThat(with(NEXT)).as("after a restart").isEqualTo(first(5));

    operator.node.rollOut("j03");
    awaitWith(NEXT, first(6));
    operator.quiet();
    assertThat(with(NEXT)).isEqualTo(first(6));
    operator.awaitCondition("j03", "Ready", "True/Serving");

    int most = 0;
    while (!rolling().isEmpty()) {
      Set<String> now = rolling();
      most = Math.max(most, now.size());
      operator.node.rollOut(now.iterator().next());
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !rolling().equals(now) && (rolling().size() == 5 || none(FORMER)));
    }
    assertThat(with(NEXT)).containsExactlyElementsOf(FLEET);
    assertThat(most).isEqualTo(5);
    operator.awaitCondition("j08", "Reconciling", "False/RolledOut");
  }

  @Test
  void one_that_fails_stops_the_others_until_it_has_an_image_that_works() {
    upgrade();
    awaitWith(NEXT, first(5));
    operator.node.crash("j02");
    operator.awaitCondition("j08", "Reconciling", "False/RolloutStopped");
    assertThat(operator.condition("j08", "Ready").path("message").asText())
        .contains("default/j02 failed with it (its pod crashes)");
    assertThat(operator.condition("j08", "Ready").path("status").asText()).isEqualTo("True");

    operator.node.rollOut("j00");
    operator.node.rollOut("j01");
    operator.quiet();
    assertThat(with(NEXT)).as("those that had begun").isEqualTo(first(5));

    operator.restart();
    operator.quiet();
    assertThat(with(NEXT)).as("after a restart").isEqualTo(first(5));

    operator.apply(manifest("j02") + "  workload: {image: \"%s\"}\n".formatted(FORMER));
    await().atMost(Duration.ofSeconds(20)).until(() -> FORMER.equals(images().get("j02")));
    operator.node.rollOut("j02");
    Set<String> expected = first(8);
    expected.remove("j02");
    awaitWith(NEXT, expected);
  }

  @Test
  void a_new_one_and_one_whose_spec_changes_do_not_wait() {
    upgrade();
    awaitWith(NEXT, first(5));
    operator.awaitCondition("j08", "Reconciling", "False/RolloutWaits");

    operator.apply(manifest("a-new-one"));
    operator.apply(manifest("j08").replace("3s", "4s"));

    Set<String> expected = first(5);
    expected.addAll(Set.of("a-new-one", "j08"));
    awaitWith(NEXT, expected);
  }

  @Test
  void while_it_waits_what_somebody_changes_is_put_right_with_the_image_that_runs() {
    upgrade();
    operator.awaitCondition("j08", "Reconciling", "False/RolloutWaits");

    operator
        .client
        .apps()
        .deployments()
        .inNamespace("default")
        .withName("j08")
        .edit(d -> new DeploymentBuilder(d).editSpec().withReplicas(7).endSpec().build());

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> operator.node.deployment("j08").getSpec().getReplicas() == 2);
    assertThat(images()).containsEntry("j08", FORMER);
  }

  @Test
  void another_pod_template_rolls_two_at_a_time_where_two_are_set_and_keeps_all_others_whole() {
    operator.rollAtOnce = 2;
    operator.apply(manifest("own") + "  workload: {image: mine}\n");
    await().atMost(Duration.ofSeconds(20)).until(() -> images().containsKey("own"));
    operator.node.rollOut("own");
    operator.awaitCondition("own", "Ready", "True/Serving");
    operator.restart(this::asAnotherOperatorLeavesIt);
    operator.awaitCondition("own", "Reconciling", "False/RolloutWaits");
    operator.quiet();
    assertThat(ofThisOperator()).isEqualTo(first(2));
    assertThat(operator.condition("j08", "Ready").path("message").asText())
        .contains(
            "run ragjourney:test; the operator's new pod template waits its turn: 2 journeys");
    assertThat(options("own")).isEqualTo(ANOTHER);

    operator.restart();
    operator.quiet();
    assertThat(ofThisOperator()).as("after a restart").isEqualTo(first(2));

    operator.apply(manifest("j07").replace("3s", "4s"));
    Set<String> expected = first(2);
    expected.add("j07");
    await().atMost(Duration.ofSeconds(20)).until(() -> ofThisOperator().equals(expected));

    operator.node.crash("j01");
    operator.awaitCondition("own", "Reconciling", "False/RolloutStopped");
    operator.node.rollOut("j00");
    operator.node.rollOut("j07");
    operator.quiet();
    assertThat(ofThisOperator()).as("after a failure").isEqualTo(expected);

    operator.node.rollOut("j01");
    expected.addAll(Set.of("j02", "j03"));
    await().atMost(Duration.ofSeconds(20)).until(() -> ofThisOperator().equals(expected));
    for (String name : List.of("j02", "j03", "j04", "j05", "j06", "j08", "own")) {
      await().atMost(Duration.ofSeconds(20)).until(() -> ofThisOperator().contains(name));
      operator.node.rollOut(name);
    }
    operator.awaitCondition("own", "Reconciling", "False/RolledOut");
    assertThat(images()).containsEntry("own", "mine").containsEntry("j08", FORMER);
  }

  /** The fleet as an operator applied it that gives the pods another option, all rolled out. */
  private void asAnotherOperatorLeavesIt() {
    for (Deployment live : deployments()) {
      Deployment another =
          new DeploymentBuilder(live)
              .withStatus(null)
              .editMetadata()
              .withManagedFields()
              .withResourceVersion(null)
              .addToAnnotations(Labels.APPLIED, "another")
              .endMetadata()
              .editSpec()
              .editTemplate()
              .editMetadata()
              .addToAnnotations(Labels.TEMPLATE, "another")
              .endMetadata()
              .editSpec()
              .editFirstContainer()
              .editFirstEnv()
              .withValue(ANOTHER)
              .endEnv()
              .endContainer()
              .endSpec()
              .endTemplate()
              .endSpec()
              .build();
      operator
          .client
          .resource(another)
          .fieldManager(Writer.MANAGER)
          .forceConflicts()
          .serverSideApply();
      operator.node.rollOut(live.getMetadata().getName());
    }
  }

  private Set<String> ofThisOperator() {
    return deployments().stream()
        .map(deployment -> deployment.getMetadata().getName())
        .filter(name -> !options(name).equals(ANOTHER))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String options(String name) {
    return operator
        .node
        .deployment(name)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getEnv()
        .getFirst()
        .getValue();
  }

  private void upgrade() {
    operator.image = NEXT;
    operator.restart();
  }

  private static String manifest(String name) {
    return MINIMAL.replace("name: faq}", "name: " + name + "}");
  }

  private static Set<String> first(int count) {
    return new TreeSet<>(FLEET.subList(0, count));
  }

  private void awaitWith(String image, Set<String> names) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(with(image)).isEqualTo(names));
  }

  private Set<String> with(String image) {
    return images().entrySet().stream()
        .filter(entry -> entry.getValue().equals(image))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private boolean none(String image) {
    return with(image).isEmpty();
  }

  private Set<String> rolling() {
    return deployments().stream()
        .filter(deployment -> !DesiredState.rolledOut(deployment))
        .map(deployment -> deployment.getMetadata().getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Map<String, String> images() {
    Map<String, String> images = new TreeMap<>();
    deployments()
        .forEach(
            deployment ->
                images.put(
                    deployment.getMetadata().getName(),
                    LiveTemplate.image(deployment).orElseThrow()));
    return images;
  }

  private List<Deployment> deployments() {
    return operator.client.apps().deployments().inNamespace("default").list().getItems();
  }
}
