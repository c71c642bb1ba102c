package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WriteFenceTest {
  private static final Duration PULSE = Duration.ofMillis(500);

  private long now;
  private int looks;
  private @Nullable String holder = "a";
  private boolean unreachable;
  private final WriteFence fence = new WriteFence("a", this::look, () -> now);

  @Test
  void who_does_not_lead_writes_nothing() {
    assertRefused();
  }

  @Test
  void a_leader_that_runs_all_the_time_writes_without_a_look() {
    lead();
    holder = "b";
    for (int beats = 0; beats < 100; beats++) {
      after(PULSE);
      fence.beat();
    }

    assertThatCode(fence::require).doesNotThrowAnyException();
    assertThat(looks).isZero();
  }

  @Test
  void a_leader_that_was_away_while_another_took_over_writes_nothing_more() {
    lead();
    holder = "b";
    after(Duration.ofSeconds(12));

    assertRefused();
    holder = "a";
    assertRefused();
  }

  @Test
  void its_own_pulse_does_not_hide_that_it_was_away() {
    lead();
    holder = "b";
    after(Duration.ofSeconds(12));
    fence.beat();

    assertRefused();
  }

  @Test
  void a_leader_that_was_away_and_leads_still_writes() {
    lead();
    after(Duration.ofSeconds(12));

    assertThatCode(fence::require).doesNotThrowAnyException();
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void a_leader_that_was_away_and_cannot_look_does_not_write_until_it_can() {
    lead();
    unreachable = true;
    after(Duration.ofSeconds(12));
    fence.beat();

    assertThatThrownBy(fence::require).isInstanceOf(KubernetesClientException.class);
    unreachable = false;
    assertThatCode(fence::require).doesNotThrowAnyException();
  }

  @Test
  void a_leader_that_was_told_to_stop_writes_nothing() {
    lead();
    fence.lost();

    assertRefused();
  }

  private void lead() {
    fence.gained();
  }

  private void after(Duration time) {
    now += time.toNanos();
  }

  private @Nullable String look() {
    looks++;
    if (unreachable) {
      throw new KubernetesClientException("no answer");
    }
    return holder;
  }

  private void assertRefused() {
    assertThatThrownBy(fence::require).isInstanceOf(NotLeadingException.class);
  }
}
