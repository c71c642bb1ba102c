package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a move leaves behind. The declared cooldown is 10 minutes. */
class PastMovesTest {
  private static final RebalanceDecision.Move MOVE = move(Reasons.REBALANCED);
  private static final RebalanceDecision.Move BACK = move(Reasons.ROLLED_BACK);

  @Test
  void rollbacks_double_the_cooldown_up_to_an_hour() {
    PastMoves moves = PastMoves.NONE;
    for (int minutes : List.of(20, 40, 60, 60)) {
      moves = moves.with(NOW, MOVE, policy()).with(NOW, BACK, policy());

      assertThat(moves.cooldown(policy())).isEqualTo(Duration.ofMinutes(minutes));
    }
  }

  @Test
  void the_declared_cooldown_is_back_after_a_move_that_stood() {
    PastMoves after = PastMoves.NONE.with(NOW, MOVE, policy()).with(NOW, BACK, policy());
    PastMoves next = after.with(NOW, MOVE, policy());
    PastMoves stood = next.with(NOW, MOVE, policy());

    assertThat(next.cooldown(policy())).as("not yet").isEqualTo(Duration.ofMinutes(20));
    assertThat(stood.cooldown(policy())).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void a_remembered_cooldown_is_not_shorter_than_the_one_that_is_declared_now() {
    PastMoves of5 = new PastMoves(null, List.of(), Duration.ofMinutes(5), Map.of());

    assertThat(of5.cooldown(policy())).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void a_declared_cooldown_above_an_hour_is_not_shortened() {
    RebalancePolicy slow = slow();
    PastMoves back = PastMoves.NONE.with(NOW, MOVE, slow).with(NOW, BACK, slow);

    assertThat(back.cooldown(slow)).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void the_moves_of_the_last_hour_are_remembered_newest_first() {
    Instant now = NOW;
    PastMoves moves = PastMoves.NONE;
    for (int i = 0; i < 10; i++) {
      now = now.plus(Duration.ofMinutes(10));
      moves = moves.with(now, MOVE, policy());
    }

    assertThat(moves.recent())
        .hasSize(6)
        .startsWith(now, now.minus(Duration.ofMinutes(10)))
        .endsWith(now.minus(Duration.ofMinutes(50)));
    assertThat(moves.last().changes()).isEqualTo(MOVE.changes());
  }

  private static RebalanceDecision.Move move(String reason) {
    return new RebalanceDecision.Move(
        reason,
        "",
        List.of(new CapChange("search", Duration.ofMillis(600), Duration.ofMillis(480), "")),
        new RoundFigures(RoundFigures.MEASURED, "", List.of(), RoundFigures.JourneyFigures.NONE));
  }

  private static RebalancePolicy slow() {
    RebalancePolicy policy = policy();
    return Journeys.with(policy, policy.interval(), policy.deadBand(), Duration.ofHours(2));
  }
}
