package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.Turn;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pod template while it waits, and what tells one from another. */
class HeldTemplateTest {
  private static final Turn WAITS =
      new Turn.Waits(Turn.WAITS, "waits its turn: 5 journeys take it at a time");

  @Test
  void what_is_wanted_of_a_spec_is_what_its_deployment_and_its_pods_say() {
    Journeys journey = Journeys.minimal().applied();
    Observation seen = journey.seen();

    assertThat(Template.wanted(seen.journey(), seen.defaultImage()))
        .isPresent()
        .isEqualTo(LiveTemplate.digest(seen.deployment()));
  }

  @ParameterizedTest(name = "{0}: another template is {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          as it was                  | documents: {configMap: {name: faq-documents}}          | false
          another budget             | budget: {total: 4s}                                    | true
          another number of pods     | workload: {replicas: 7}                                | false
          a label of one's own       | workload: {podTemplate: {metadata: {labels: {a: b}}}}  | true
          an image of one's own      | workload: {image: mine}                                | true
          other documents            | documents: {configMap: {name: others}}                 | true
          a pool of its own          | workload: {maxConcurrent: 9}                           | true
          another rebalancing        | rebalance: {mode: Disabled}                            | false
          """)
  void the_digest_changes_with_the_pods_and_with_nothing_else(
      String name, String field, boolean another) {
    JsonNode spec = Journeys.yaml(Journeys.MINIMAL);
    Journeys.yaml(field)
        .properties()
        .forEach(
            each ->
                ((com.fasterxml.jackson.databind.node.ObjectNode) spec)
                    .set(each.getKey(), each.getValue()));

    assertThat(!digest(Journeys.minimal().spec(spec.toString())).equals(digest(Journeys.minimal())))
        .isEqualTo(another);
  }

  @Test
  void the_digest_changes_with_the_default_image() {
    assertThat(digest(Journeys.minimal().image("ragjourney:2")))
        .isNotEqualTo(digest(Journeys.minimal()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the order of fields does not count  | {"a": 1, "b": {"c": 2, "d": 3}} | {"b": {"d": 3, "c": 2}, "a": 1} | true
          nor does a field without a value    | {"a": 1, "b": null, "c": [], "d": "", "e": {"f": null}} | {"a": 1} | true
          a value does                        | {"a": 1} | {"a": 2}             | false
          the order of a list does            | {"a": [1, 2]} | {"a": [2, 1]}   | false
          an empty element does               | {"a": [{}, 1]} | {"a": [1]}     | false
          """)
  void what_a_digest_is_of(String name, String one, String other, boolean same) throws Exception {
    JsonMapper json = JsonMapper.builder().build();
    assertThat(Digest.ofContent(json.readTree(one)).equals(Digest.ofContent(json.readTree(other))))
        .isEqualTo(same);
  }

  @Test
  void a_spec_whose_pods_are_left_as_they_are_wants_none() {
    assertThat(digest(Journeys.minimal().spec("budget: {total: 3}"))).isEmpty();
    assertThat(
            digest(
                Journeys.minimal()
                    .spec(
                        Journeys.MINIMAL
                            + "workload: {podTemplate: {env: [{name: RAGJOURNEY_X, value: y}]}}")))
        .isEmpty();
  }

  @Test
  void a_deployment_of_another_operators_template_is_not_written_while_it_waits() {
    Journeys journey = Journeys.minimal().rolledOut();
    journey.deployment(HeldTemplateTest::ofAnotherOperator);

    assertThat(journey.turn(WAITS).objects().apply()).noneMatch(Deployment.class::isInstance);
    assertThat(journey.turn(Turn.NOW).objects().apply())
        .filteredOn(Deployment.class::isInstance)
        .singleElement()
        .satisfies(
            written ->
                assertThat(LiveTemplate.digest((Deployment) written))
                    .isEqualTo(digest(Journeys.minimal())));
  }

  @Test
  void one_that_differs_in_its_image_alone_is_kept_as_it_was_applied_with_it() {
    Journeys journey = Journeys.minimal().rolledOut();
    Optional<String> former = LiveTemplate.digest(journey.seen().deployment());

    assertThat(journey.image("ragjourney:2").turn(WAITS).objects().apply())
        .filteredOn(Deployment.class::isInstance)
        .singleElement()
        .satisfies(
            written -> assertThat(LiveTemplate.digest((Deployment) written)).isEqualTo(former));
  }

  @Test
  void what_waits_is_told_by_what_is_new() {
    Journeys journey = Journeys.minimal().rolledOut().turn(WAITS);

    assertThat(ready(journey))
        .isEqualTo(
            "all 2 pods are ready and run ragjourney:default; the operator's new pod template"
                + " waits its turn: 5 journeys take it at a time");
    assertThat(ready(journey.image("ragjourney:2")))
        .isEqualTo(
            "all 2 pods are ready and run ragjourney:default; the default image ragjourney:2"
                + " waits its turn: 5 journeys take it at a time");
    assertThat(
            ready(
                Journeys.minimal()
                    .spec(Journeys.MINIMAL + "workload: {image: mine}")
                    .rolledOut()
                    .image("ragjourney:2")
                    .turn(WAITS)))
        .startsWith("all 2 pods are ready and run mine; the operator's new pod template waits");
  }

  private static DeploymentBuilder ofAnotherOperator(DeploymentBuilder deployment) {
    return deployment
        .editMetadata()
        .addToAnnotations(Labels.APPLIED, "another")
        .endMetadata()
        .editSpec()
        .editTemplate()
        .editMetadata()
        .addToAnnotations(Labels.TEMPLATE, "another")
        .endMetadata()
        .endTemplate()
        .endSpec();
  }

  private static String ready(Journeys journey) {
    return journey.status().conditions().stream()
        .filter(condition -> condition.type().equals("Ready"))
        .map(Condition::message)
        .findFirst()
        .orElseThrow();
  }

  private static Optional<String> digest(Journeys journey) {
    Observation seen = journey.seen();
    return Template.wanted(seen.journey(), seen.defaultImage());
  }
}
