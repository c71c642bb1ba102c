package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Moves, rollbacks and pauses through the whole operator, on the embedded API server. */
class RemembersMovesIT {
  private static final Duration DECLARED = Duration.ofMillis(600);
  private static final Duration MOVED = Duration.ofMillis(480);
  private static final PastMoves.Expected EXPECTED = new PastMoves.Expected(0.031, 0.004);

  private final OperatorHarness operator = new OperatorHarness().start();
  private final AtomicReference<RebalanceInput> seen = new AtomicReference<>();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void another_process_knows_the_last_move_whole_and_tells_nothing_again() {
    ready();
    operator.rule = input -> move(input, Reasons.REBALANCED, DECLARED, MOVED);
    operator.round();
    await().until(() -> operator.cap("search"), MOVED::equals);
    operator.rule = this::hold;
    operator.awaitCondition("faq", "Rebalanced", "True/Rebalanced");
    operator.quiet();
    long told = operator.events().stream().filter("CapsRebalanced"::equals).count();

    operator.restart();
    await()
        .untilAsserted(
            () -> {
              operator.round();
              assertThat(seen.get()).isNotNull();
              PastMoves moves = seen.get().moves();
              assertThat(moves.last()).isNotNull();
              assertThat(moves.last().expected()).isEqualTo(EXPECTED);
              assertThat(moves.last().changes())
                  .extracting(CapChange::from, CapChange::to, CapChange::samples)
                  .containsExactly(org.assertj.core.api.Assertions.tuple(DECLARED, MOVED, 1204L));
              assertThat(moves.recent()).hasSize(1);
              assertThat(moves.changed()).containsOnlyKeys("embed", "search", "rerank", "generate");
            });
    assertThat(operator.status("faq").path("rebalance").path("history")).hasSize(1);
    assertThat(operator.events().stream().filter("CapsRebalanced"::equals).count())
        .isEqualTo(told)
        .isEqualTo(1);
  }

  @Test
  void a_move_and_its_rollback_are_counted_and_told() {
    ready();
    operator.rule = input -> move(input, Reasons.REBALANCED, DECLARED, MOVED);
    operator.round();
    await().until(() -> operator.cap("search"), MOVED::equals);
    operator.awaitCondition("faq", "Rebalanced", "True/Rebalanced");
    operator.rule = input -> move(input, Reasons.ROLLED_BACK, MOVED, DECLARED);
    await()
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              operator.round();
              return operator.cap("search");
            },
            DECLARED::equals);
    operator.rule = this::hold;
    operator.awaitCondition("faq", "Rebalanced", "False/RolledBack");

    assertThat(operator.status("faq").path("rebalance").path("history"))
        .extracting(move -> move.path("reason").asText())
        .containsExactly("RolledBack", "Rebalanced");
    await().untilAsserted(() -> assertThat(operator.events()).contains("CapsRolledBack"));
    assertThat(moves("moved")).isEqualTo(1);
    assertThat(moves("rolled_back")).isEqualTo(1);
  }

  @Test
  void what_is_left_out_reaches_the_plan_outlives_the_process_and_goes_with_the_rule() {
    ready(MINIMAL + "  rebalance: {rule: MaxQuality}\n");
    operator.rule = RemembersMovesIT::leavesOut;
    operator.round();
    await()
        .until(
            () -> operator.node.plan("faq").budget().leaves().stages(), List.of("rerank")::equals);
    operator.rule = this::hold;
    await().until(() -> operator.events().contains("StageLeftOut"));
    assertThat(operator.status("faq").at("/effective/leftOut/stages/0").asText())
        .isEqualTo("rerank");
    assertThat(leftOut()).isEqualTo(1);
    operator.quiet();
    long revision = operator.node.plan("faq").revision();

    operator.restart();
    await()
        .untilAsserted(
            () -> {
              operator.round();
              assertThat(seen.get()).isNotNull();
              assertThat(seen.get().budget().leaves()).isEqualTo(LeftOut.NOTHING.with("rerank"));
              assertThat(seen.get().moves().last().ladder().text()).isEqualTo("rerank is left out");
            });
    assertThat(operator.node.plan("faq").revision())
        .as("nothing is written anew")
        .isEqualTo(revision);
    assertThat(operator.events().stream().filter("StageLeftOut"::equals)).hasSize(1);

    operator.apply(MINIMAL);
    await().until(() -> operator.node.plan("faq").budget().leaves(), LeftOut.NOTHING::equals);
    await().until(this::leftOut, Double.valueOf(0)::equals);
  }

  private static RebalanceDecision leavesOut(RebalanceInput input) {
    return input.budget().leaves().nothing()
        ? new RebalanceDecision.Move(
            Reasons.REBALANCED,
            "rerank is left out; missed 40 % → 2 %",
            List.of(),
            new LadderChange("rerank", LadderChange.RUNS, LadderChange.LEFT_OUT, "missed"),
            OperatorHarness.NOTHING_MEASURED,
            EXPECTED)
        : new RebalanceDecision.Hold(
            Reasons.COOLING_DOWN, "caps stay", OperatorHarness.NOTHING_MEASURED);
  }

  private Double leftOut() {
    return operator.registry.getSampleValue(
        "ragjourney_rebalance_left_out",
        new String[] {"namespace", "journey"},
        new String[] {"default", "faq"});
  }

  @Test
  void a_pause_is_known_from_the_next_round_on_and_its_end_too() {
    ready();
    operator.rule = this::hold;
    annotate("true");
    awaitPaused(true);
    annotate(null);
    awaitPaused(false);
    annotate("no");
    operator.quiet();
    operator.round();

    assertThat(seen.get().paused()).as("only true pauses").isFalse();
  }

  private void awaitPaused(boolean paused) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              operator.round();
              return seen.get() != null && seen.get().paused() == paused;
            });
  }

  /** Whatever is written meanwhile: the operator's status is none of its business. */
  private void annotate(String value) {
    operator
        .client
        .resources(RawJourney.class)
        .inNamespace("default")
        .withName("faq")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"annotations\": {\"ragjourney.dev/paused\": %s}}}"
                .formatted(value == null ? null : "\"" + value + "\""));
  }

  private void ready() {
    ready(MINIMAL);
  }

  /** Until the round is over that the operator makes by itself within its first seconds. */
  private void ready(String journey) {
    operator.rule = this::hold;
    operator.apply(journey);
    operator.ready("faq");
    await().atMost(Duration.ofSeconds(20)).until(() -> seen.get() != null);
    operator.quiet();
  }

  private Double moves(String result) {
    return operator.registry.getSampleValue(
        "ragjourney_rebalance_moves_total",
        new String[] {"namespace", "journey", "rule", "result"},
        new String[] {"default", "faq", "P95Headroom", result});
  }

  private RebalanceDecision hold(RebalanceInput input) {
    seen.set(input);
    return new RebalanceDecision.Hold(
        Reasons.COOLING_DOWN, "caps stay", OperatorHarness.NOTHING_MEASURED);
  }

  private static RebalanceDecision move(
      RebalanceInput input, String reason, Duration from, Duration to) {
    Duration cap =
        input.budget().stages().stream()
            .filter(stage -> stage.name().equals("search"))
            .findFirst()
            .orElseThrow()
            .cap();
    return from.equals(cap)
        ? new RebalanceDecision.Move(
            reason,
            "search moves",
            List.of(
                new CapChange("search", CapChange.Moved.CAP, from, to, "p95 400 ms + 20 %", 1204L)),
            OperatorHarness.NOTHING_MEASURED,
            EXPECTED)
        : new RebalanceDecision.Hold(
            Reasons.COOLING_DOWN, "caps stay", OperatorHarness.NOTHING_MEASURED);
  }
}
