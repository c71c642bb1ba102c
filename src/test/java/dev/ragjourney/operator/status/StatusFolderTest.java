package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.operator.observe.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusFolderTest {
  private static final PodAnswer.Running ON_1 = new PodAnswer.Running(1, PodAnswer.Problem.NONE);
  private static final PodAnswer.Running ON_0 = new PodAnswer.Running(0, PodAnswer.Problem.NONE);
  private static final PodAnswer SILENT = new PodAnswer.Unreachable("no answer");

  static Stream<Arguments> conditions() {
    return Stream.of(
        row("a new journey", Journeys.minimal(), "Ready", "False/PodsNotReady"),
        row("a new journey", Journeys.minimal(), "Reconciling", "True/RollingOut"),
        row("a new journey", Journeys.minimal(), "PlanDelivered", "False/Waiting"),
        row("before any round", Journeys.minimal(), "MetricsAvailable", "Unknown/NoRoundYet"),
        row("before any round", Journeys.minimal(), "Rebalanced", "Unknown/NoRoundYet"),
        row("before any round", Journeys.minimal(), "WithinBudget", "Unknown/NoRoundYet"),
        row("before any round", Journeys.minimal(), "DegradedRateHigh", "Unknown/NoRoundYet"),
        row("before any round", Journeys.minimal(), "StageStarved", "Unknown/NoRoundYet"),
        row("before any round", Journeys.minimal(), "GenerateStartsLate", "Unknown/NoRoundYet"),
        row("any journey", Journeys.minimal(), "StageRegressed", "Unknown/NoBaseline"),
        row("a budget that fits", Journeys.minimal(), "Feasible", "True/Fits"),
        row(
            "caps above the total",
            Journeys.minimal().spec(TIGHT),
            "Feasible",
            "True/ReliesOnDonation"),
        row(
            "floors and reserve above the total",
            Journeys.minimal().spec(IMPOSSIBLE),
            "Feasible",
            "False/CannotFit"),
        row(
            "floors and reserve above the total",
            Journeys.minimal().spec(IMPOSSIBLE),
            "Ready",
            "False/InvalidSpec"),
        row("an invalid spec", Journeys.minimal().spec(INVALID), "Feasible", "Unknown/InvalidSpec"),
        row("an invalid spec", Journeys.minimal().spec(INVALID), "Ready", "False/InvalidSpec"),
        row("an invalid spec", Journeys.minimal().spec(INVALID), "Stalled", "True/InvalidSpec"),
        row("an invalid spec", Journeys.minimal().spec(INVALID), "Reconciling", "False/Stalled"),
        row("an invalid spec", Journeys.minimal().spec(INVALID), "PlanDelivered", "False/NoPlan"),
        row(
            "an unknown field",
            Journeys.minimal().spec(Journeys.MINIMAL + "budgets: {}\n"),
            "Ready",
            "False/InvalidSpec"),
        row(
            "a list where an object should be",
            Journeys.minimal().spec("budget: [3s]\n"),
            "Ready",
            "False/Unreadable"),
        row("a taken name", Journeys.minimal().foreign("Service faq"), "Ready", "False/NameTaken"),
        row(
            "an object refused",
            Journeys.minimal().applied().refusal(new Refusal("Deployment faq", "quota", 1)),
            "Ready",
            "False/InvalidSpec"),
        row("all pods ready", Journeys.minimal().rolledOut(), "Ready", "True/Serving"),
        row("all pods ready", Journeys.minimal().rolledOut(), "Reconciling", "False/RolledOut"),
        row("all pods ready", Journeys.minimal().rolledOut(), "Stalled", "False/Progressing"),
        row(
            "an older generation observed",
            Journeys.minimal()
                .rolledOut()
                .deployment(d -> d.editStatus().withObservedGeneration(0L).endStatus()),
            "Ready",
            "False/PodsNotReady"),
        row(
            "a pod of the old template left",
            Journeys.minimal()
                .rolledOut()
                .deployment(d -> d.editStatus().withReplicas(3).endStatus()),
            "Ready",
            "False/PodsNotReady"),
        row(
            "a rollout past its deadline",
            Journeys.minimal()
                .rolledOut()
                .deployment(
                    d ->
                        d.editStatus()
                            .withReadyReplicas(0)
                            .addNewCondition()
                            .withType("Progressing")
                            .withStatus("False")
                            .withMessage("timed out")
                            .endCondition()
                            .endStatus()),
            "Stalled",
            "True/ProgressDeadlineExceeded"),
        row("a pod that misses a Secret", waiting("SecretMissing"), "Ready", "False/SecretMissing"),
        row(
            "a pod that misses documents",
            waiting("DocumentsMissing"),
            "Ready",
            "False/DocumentsMissing"),
        row("every pod on the revision", pods(ON_1, ON_1), "PlanDelivered", "True/Delivered"),
        row("a pod on another revision", pods(ON_1, ON_0), "PlanDelivered", "False/Waiting"),
        row("a silent pod", pods(ON_1, SILENT), "PlanDelivered", "Unknown/PodsUnreachable"),
        row("a silent pod", pods(ON_1, SILENT), "Ready", "True/Serving"),
        row("a silent pod and one behind", pods(ON_0, SILENT), "PlanDelivered", "False/Waiting"),
        row("a pod that hangs", hanging(), "PlanDelivered", "False/Waiting"));
  }

  @ParameterizedTest(name = "{0}: {2} is {3}")
  @MethodSource("conditions")
  void each_condition_has_its_reason(String seen, Journeys journey, String type, String expected) {
    Condition condition = condition(journey.status(), type);

    assertThat(condition.status() + "/" + condition.reason())
        .as(condition.message())
        .isEqualTo(expected);
    assertThat(condition.message()).isNotBlank();
  }

  static Stream<Arguments> everyKind() {
    return Stream.of(
        Arguments.of("new", Journeys.minimal()),
        Arguments.of("invalid", Journeys.minimal().spec(INVALID)),
        Arguments.of("unreadable", Journeys.minimal().spec("budget: [3s]\n")),
        Arguments.of("taken", Journeys.minimal().foreign("Service faq")),
        Arguments.of("rolled out", Journeys.minimal().rolledOut()));
  }

  @ParameterizedTest(
      name = "a journey that is {0} has every condition, once, and in the same order")
  @MethodSource("everyKind")
  void every_condition_is_always_there(String kind, Journeys journey) {
    assertThat(journey.status().conditions())
        .extracting(Condition::type)
        .containsExactlyElementsOf(Types.ALL);
    assertThat(journey.status().conditions())
        .allSatisfy(c -> assertThat(c.observedGeneration()).isEqualTo(1));
  }

  @Test
  void the_same_seen_again_later_folds_to_the_same_status() {
    Journeys journey = pods(ON_1, ON_1);
    RagJourneyStatus first = journey.status();

    assertThat(journey.lastStatus(first).at(Journeys.NOW.plusSeconds(600)).status())
        .isEqualTo(first);
  }

  @Test
  void the_transition_time_moves_with_the_status_only() {
    Journeys journey = Journeys.minimal().applied();
    RagJourneyStatus first = journey.status();
    journey.lastStatus(first).at(Journeys.NOW.plusSeconds(60));

    RagJourneyStatus progressed =
        journey.deployment(d -> d.withNewStatus().withUpdatedReplicas(1).endStatus()).status();
    RagJourneyStatus ready = journey.rolledOut().status();

    assertThat(condition(progressed, "Ready").message())
        .isNotEqualTo(condition(first, "Ready").message());
    assertThat(condition(progressed, "Ready").lastTransitionTime())
        .isEqualTo(condition(first, "Ready").lastTransitionTime());
    assertThat(condition(ready, "Ready").lastTransitionTime()).isEqualTo("2030-01-02T03:05:05Z");
  }

  @Test
  void an_invalid_edit_keeps_what_was_told_of_the_plan_that_serves() {
    Journeys journey = pods(ON_1, ON_1);
    RagJourneyStatus good = journey.status();

    RagJourneyStatus bad = journey.lastStatus(good).spec(INVALID).generation(2).status();

    assertThat(bad.observedGeneration()).isEqualTo(2);
    assertThat(bad.plan()).isEqualTo(good.plan());
    assertThat(bad.effective()).isEqualTo(good.effective());
    assertThat(bad.stages()).isEqualTo(good.stages());
    assertThat(condition(bad, "Ready").message())
        .contains("spec.budget.total")
        .endsWith("The plan of generation 1 keeps serving");
  }

  @Test
  void the_sentence_of_a_finding_ends_once_before_the_next_one() {
    Journeys journey = pods(ON_1, ON_1);
    String useless =
        "budget: {total: 3s}\ndocuments: {configMap: {name: d}}\nsemanticCache: {}\n"
            + "fallbackLevels:\n- {name: full, minRemaining: 1s}\n"
            + "- {name: sorry, answer: Static, message: later}\n";

    RagJourneyStatus bad = journey.lastStatus(journey.status()).spec(useless).status();

    assertThat(condition(bad, "Ready").message())
        .contains("spec.semanticCache: nothing answers from the semantic cache")
        .contains("or upFront: true. The plan of generation 1 keeps serving");
  }

  @Test
  void pods_that_were_not_asked_yet_change_nothing_that_was_told() {
    Journeys journey = pods(ON_1, ON_1);
    RagJourneyStatus told = journey.status();

    RagJourneyStatus afterRestart = journey.lastStatus(told).answers(Map.of()).status();

    assertThat(afterRestart).isEqualTo(told);
  }

  @Test
  void the_plan_is_summed_up_for_the_column() {
    assertThat(pods(ON_1, ON_0).status().plan().summary()).isEqualTo("1/2");
    assertThat(pods(ON_1, SILENT).status().plan().summary()).isEqualTo("1/2");
  }

  @Test
  void effective_values_name_every_default() {
    var effective = Journeys.minimal().status().effective();

    assertThat(effective.enforcement()).isEqualTo("Enforce");
    assertThat(effective.reserve()).isEqualTo("50ms");
    assertThat(effective.rule()).isEqualTo("P95Headroom");
    assertThat(effective.stages())
        .extracting(stage -> stage.name() + " " + stage.cap())
        .containsExactly("embed 150ms", "search 600ms", "rerank 300ms", "generate null");
    assertThat(effective.levels())
        .extracting(level -> level.name() + " " + level.topK())
        .containsExactly("full 10", "fast 5", "sorry null");
  }

  private static final String INVALID = "budget: {total: 1.5s}\n";
  private static final String TIGHT =
      """
      budget: {total: 3s}
      documents: {configMap: {name: d}}
      stages:
      - {name: search, type: Search, cap: 2s}
      - {name: rerank, type: Rerank, optional: true, cap: 1s}
      - {name: generate, type: Generate, floor: 1s}
      """;
  private static final String IMPOSSIBLE =
      """
      budget: {total: 3s}
      documents: {configMap: {name: d}}
      stages:
      - {name: search, type: Search, cap: 1s, floor: 1s}
      - {name: generate, type: Generate, floor: 1s990ms}
      """;

  @Test
  void documents_that_a_pod_misses_are_named_by_what_holds_them() {
    assertThat(condition(waiting("DocumentsMissing").status(), "Ready").message())
        .startsWith("ConfigMap faq-documents: it is missing; ");
    assertThat(condition(waiting("SecretMissing").status(), "Ready").message())
        .startsWith("it is missing; ");
  }

  private static Journeys waiting(String reason) {
    return pods(ON_1, new PodAnswer.Running(0, new PodAnswer.Problem(reason, "it is missing")))
        .deployment(d -> d.editStatus().withReadyReplicas(1).endStatus());
  }

  private static Journeys pods(PodAnswer... answers) {
    PodFacts[] pods = new PodFacts[answers.length];
    Map<String, PodAnswer> byUid = new HashMap<>();
    for (int i = 0; i < answers.length; i++) {
      pods[i] = new PodFacts("faq-" + i, "uid-" + i, "http://10.0.0." + i, true, "", Set.of());
      byUid.put("uid-" + i, answers[i]);
    }
    return Journeys.minimal().rolledOut().pods(pods).answers(byUid);
  }

  /** One pod serves; the other answers neither the operator nor the kubelet. */
  private static Journeys hanging() {
    return Journeys.minimal()
        .rolledOut()
        .pods(
            new PodFacts("faq-0", "uid-0", "http://10.0.0.1", true, "", Set.of()),
            new PodFacts("faq-1", "uid-1", "http://10.0.0.2", false, "", Set.of()))
        .answers(Map.of("uid-0", ON_1, "uid-1", SILENT));
  }

  private static Arguments row(String seen, Journeys journey, String type, String expected) {
    return Arguments.of(seen, journey, type, expected);
  }

  static Condition condition(RagJourneyStatus status, String type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
