package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.RoundSchedule.Group;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundScheduleTest {
  private static final Group FIVE_MINUTES =
      new Group(Duration.ofMinutes(5), Duration.ofMinutes(30));
  private static final Group MINUTE = new Group(Duration.ofMinutes(1), Duration.ofMinutes(10));

  private final RoundSchedule schedule = new RoundSchedule(new Random(7));

  @Test
  void the_first_round_comes_within_five_seconds() {
    assertThat(rounds(FIVE_MINUTES, 0, 5)).isEqualTo(1);
  }

  @Test
  void an_hour_of_rounds_keeps_to_the_interval_on_the_average() {
    assertThat(rounds(FIVE_MINUTES, 0, 3600)).isBetween(11, 14);
  }

  @Test
  void two_rounds_are_never_closer_than_ninety_percent_of_the_interval() {
    long last = -1;
    for (int second = 0; second < 36_000; second++) {
      if (!schedule.due(Set.of(FIVE_MINUTES), nanos(second)).isEmpty()) {
        if (last >= 0) {
          assertThat(second - last).isBetween(270L, 331L);
        }
        last = second;
      }
    }
  }

  @Test
  void groups_have_their_own_times_and_a_group_that_ended_starts_anew() {
    rounds(MINUTE, 0, 6);
    assertThat(schedule.due(Set.of(), nanos(7))).isEmpty();

    assertThat(rounds(MINUTE, 8, 14)).isEqualTo(1);
  }

  @Test
  void an_interval_below_ten_seconds_is_ten_seconds() {
    RebalancePolicy hasty =
        new RebalancePolicy(
            RebalancePolicy.Mode.AUTO,
            RebalancePolicy.Rule.P95_HEADROOM,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            0.2,
            100,
            0.5,
            0.2,
            0.05,
            Duration.ofMinutes(1),
            0.01,
            Map.of());

    assertThat(Group.of(hasty).interval()).isEqualTo(Duration.ofSeconds(10));
  }

  private int rounds(Group group, int fromSecond, int toSecond) {
    int rounds = 0;
    for (int second = fromSecond; second <= toSecond; second++) {
      rounds += schedule.due(Set.of(group), nanos(second)).size();
    }
    return rounds;
  }

  /** Monotonic time may begin anywhere, also just before it wraps. */
  private static long nanos(long second) {
    return Long.MAX_VALUE - Duration.ofSeconds(30).toNanos() + Duration.ofSeconds(second).toNanos();
  }
}
