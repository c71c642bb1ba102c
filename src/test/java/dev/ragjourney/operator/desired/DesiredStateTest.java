package dev.ragjourney.operator.desired;

import static dev.ragjourney.operator.desired.MovedCaps.DECLARED;
import static dev.ragjourney.operator.desired.MovedCaps.MOVED;
import static dev.ragjourney.operator.desired.MovedCaps.cap;
import static dev.ragjourney.operator.desired.MovedCaps.move;
import static dev.ragjourney.operator.desired.MovedCaps.planMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.CapChange;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DesiredStateTest {
  private static final Duration HELD = Duration.ofMillis(1200);

  @Test
  void the_first_plan_has_revision_1_and_is_created_without_a_version() {
    Desired.Objects first = Journeys.minimal().objects();

    assertThat(first.plan().revision()).isEqualTo(1);
    assertThat(planMap(first).getMetadata().getResourceVersion()).isNull();
    assertThat(first.planMap()).startsWith("faq-plan-");
  }

  @Test
  void an_edit_that_pods_do_not_see_keeps_the_plan_to_the_byte() {
    Journeys before = Journeys.minimal().applied();
    Desired.Objects after =
        before.spec(Journeys.MINIMAL + "workload: {replicas: 5}\n").generation(2).objects();

    assertThat(after.plan().revision()).isEqualTo(1);
    assertThat(after.plan().generation()).isEqualTo(1);
  }

  @Test
  void an_edit_that_pods_see_raises_the_revision_under_the_version_that_was_read() {
    Desired.Objects after =
        Journeys.minimal()
            .applied()
            .spec(Journeys.MINIMAL.replace("3s", "4s"))
            .generation(2)
            .objects();

    assertThat(after.plan().revision()).isEqualTo(2);
    assertThat(after.plan().generation()).isEqualTo(2);
    assertThat(planMap(after).getMetadata().getResourceVersion()).isEqualTo("41");
  }

  @Test
  void a_revision_is_never_used_twice_even_when_every_plan_was_lost() {
    Journeys journey = Journeys.minimal().rolledOut();
    journey.lastStatus(journey.status());

    assertThat(journey.plans(List.of()).objects().plan().revision()).isEqualTo(2);
  }

  @Test
  void a_move_made_on_this_revision_sets_the_caps_and_is_recorded_beside_them() {
    Desired.Objects after = Journeys.minimal().applied().round(move(1)).objects();

    assertThat(cap(after.plan())).isEqualTo(MOVED);
    assertThat(after.plan().revision()).isEqualTo(2);
    assertThat(after.moved()).isTrue();
    LivePlan written = PlanObjects.read(planMap(after));
    assertThat(written.lastMove().changes().getFirst().to()).isEqualTo("720ms");
    assertThat(written.lastMove().at()).isEqualTo(Journeys.NOW);
  }

  @Test
  void a_move_made_on_another_revision_is_not_carried_out() {
    Desired.Objects after = Journeys.minimal().applied().round(move(7)).objects();

    assertThat(cap(after.plan())).isEqualTo(DECLARED);
    assertThat(after.moved()).isFalse();
  }

  @Test
  void a_move_is_carried_out_once() {
    Journeys moved = Journeys.minimal().applied().round(move(1)).applied();

    assertThat(moved.objects().plan().revision()).isEqualTo(2);
    assertThat(moved.objects().moved()).isFalse();
    assertThat(cap(moved.objects().plan())).isEqualTo(MOVED);
  }

  static Stream<Arguments> edits() {
    String stages =
        """
        budget: {total: 3s}
        documents: {configMap: {name: faq-documents}}
        stages:
        - {name: search, type: Search, cap: 600ms%s}
        - {name: generate, type: Generate, floor: 1s%s}
        %s
        """;
    return Stream.of(
        Arguments.of("more pods", stages.formatted("", "", "workload: {replicas: 4}"), MOVED),
        Arguments.of("another stage changes", stages.formatted("", ", maxTokens: 9", ""), MOVED),
        Arguments.of(
            "its own cap changes",
            stages.replace("600ms", "500ms").formatted("", "", ""),
            Duration.ofMillis(500)),
        Arguments.of("its own topK changes", stages.formatted(", topK: 4", "", ""), DECLARED),
        Arguments.of(
            "the total changes", stages.replace("3s", "4s").formatted("", "", ""), DECLARED),
        Arguments.of(
            "the range no longer allows it",
            stages.formatted(", capRange: {max: 700ms}", "", ""),
            Duration.ofMillis(700)),
        Arguments.of(
            "mode Recommend", stages.formatted("", "", "rebalance: {mode: Recommend}"), DECLARED),
        Arguments.of(
            "mode Disabled", stages.formatted("", "", "rebalance: {mode: Disabled}"), DECLARED));
  }

  @ParameterizedTest(name = "after {0} the moved cap is {2}")
  @MethodSource("edits")
  void a_moved_cap_lives_until_what_it_was_measured_on_changes(
      String edit, String spec, Duration expected) {
    String before =
        """
        budget: {total: 3s}
        documents: {configMap: {name: faq-documents}}
        stages:
        - {name: search, type: Search, cap: 600ms}
        - {name: generate, type: Generate, floor: 1s}
        """;
    Journeys moved = Journeys.minimal().spec(before).applied().round(move(1)).applied();

    assertThat(cap(moved.spec(spec).generation(2).objects().plan())).isEqualTo(expected);
  }

  private static final String QUALITY =
      """
      budget: {total: 3s}
      documents: {configMap: {name: faq-documents}}
      stages:
      - {name: search, type: Search, cap: 600ms}
      - {name: generate, type: Generate, floor: 1s%s}
      rebalance: {rule: %s}
      """;

  static Stream<Arguments> heldBack() {
    return Stream.of(
        Arguments.of("nothing", QUALITY.formatted("", "MaxQuality"), HELD),
        Arguments.of(
            "more pods", QUALITY.formatted("", "MaxQuality") + "workload: {replicas: 4}\n", HELD),
        Arguments.of("the rule changes", QUALITY.formatted("", "P95Headroom"), null),
        Arguments.of(
            "the mode changes", QUALITY.formatted("", "MaxQuality, mode: Recommend"), null),
        Arguments.of(
            "a stage that it serves changes",
            QUALITY.formatted(", maxTokens: 9", "MaxQuality"),
            null),
        Arguments.of(
            "the total changes", QUALITY.formatted("", "MaxQuality").replace("3s", "4s"), null));
  }

  @ParameterizedTest(name = "after {0} the hold-back is {2}")
  @MethodSource("heldBack")
  void a_moved_hold_back_reaches_the_plan_and_lives_until_what_it_serves_changes(
      String edit, String spec, Duration expected) {
    Journeys moved =
        Journeys.minimal()
            .spec(QUALITY.formatted("", "MaxQuality"))
            .applied()
            .round(
                move(
                    1,
                    new CapChange(
                        "search", CapChange.Moved.HOLD_BACK, Duration.ofSeconds(1), HELD, "why")));
    assertThat(holdBack(moved.objects().plan())).isEqualTo(HELD);
    assertThat(moved.objects().moved()).isTrue();
    assertThat(moved.objects().lastMove().changes().getFirst().knob()).isEqualTo("HoldBack");

    Plan after = moved.applied().spec(spec).generation(2).objects().plan();

    assertThat(holdBack(after)).isEqualTo(expected);
    assertThat(cap(after)).as("no cap moved").isEqualTo(DECLARED);
  }

  @Test
  void a_template_that_provides_other_files_gets_a_plan_of_its_own() {
    Desired.Objects before = Journeys.minimal().objects();
    Desired.Objects documents =
        Journeys.minimal().spec(Journeys.MINIMAL.replace("faq-documents", "other")).objects();
    Desired.Objects image =
        Journeys.minimal().spec(Journeys.MINIMAL + "workload: {image: \"x:1\"}\n").objects();

    assertThat(Set.of(before.planMap(), documents.planMap(), image.planMap())).hasSize(3);
  }

  @Test
  void an_old_plan_goes_when_the_rollout_is_over_and_no_pod_mounts_it() {
    Journeys journey = Journeys.minimal().applied();
    LivePlan old = journey.seen().plans().getFirst();
    journey.spec(Journeys.MINIMAL + "workload: {image: \"x:1\"}\n").rolledOut();
    List<LivePlan> both = new ArrayList<>(journey.seen().plans());
    both.add(old);
    journey.plans(both);

    assertThat(journey.objects().prune()).containsExactly(old.map());

    journey.pods(pod(old.name()));
    assertThat(journey.objects().prune()).as("a pod mounts it").isEmpty();

    journey.pods().deployment(d -> d.editStatus().withUpdatedReplicas(1).endStatus());
    assertThat(journey.objects().prune()).as("the rollout goes on").isEmpty();
  }

  @Test
  void a_move_during_a_rollout_reaches_the_pods_of_the_old_template_too() {
    Journeys journey = Journeys.minimal().applied();
    LivePlan old = journey.seen().plans().getFirst();
    journey.spec(Journeys.MINIMAL + "workload: {image: \"x:1\"}\n").generation(2).applied();
    List<LivePlan> both = new ArrayList<>(journey.seen().plans());
    both.add(old);
    journey.plans(both).round(move(2));

    List<Plan> written =
        journey.objects().apply().stream()
            .filter(ConfigMap.class::isInstance)
            .map(map -> PlanObjects.read((ConfigMap) map).plan())
            .toList();

    assertThat(written)
        .hasSize(2)
        .allSatisfy(
            plan -> {
              assertThat(cap(plan)).isEqualTo(MOVED);
              assertThat(plan.revision()).isEqualTo(3);
            });
  }

  @Test
  void a_name_with_another_owner_stops_everything_before_the_first_write() {
    assertThat(Journeys.minimal().foreign("Service faq").desired())
        .isInstanceOfSatisfying(
            Desired.AsItIs.class, stuck -> assertThat(stuck.reason()).isEqualTo("NameTaken"));
  }

  private static Duration holdBack(Plan plan) {
    return plan.budget().stages().getFirst().holdBack();
  }

  private static PodFacts pod(String map) {
    return new PodFacts("p", "u", "http://10.0.0.1:8081", true, "", Set.of(map));
  }
}
