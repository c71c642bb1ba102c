package dev.ragjourney.support.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScriptTest {
  private final Script script = new Script();

  @Test
  void the_longest_path_prefix_rules_then_the_protocol_then_the_star() {
    script.set("*", Behaviour.delayed(1));
    assertThat(millis("/a/v1/chat/completions")).isEqualTo(1);
    script.set("chat", Behaviour.delayed(2));
    assertThat(millis("/a/v1/chat/completions")).isEqualTo(2);
    script.set("/a", Behaviour.delayed(3));
    assertThat(millis("/a/v1/chat/completions")).isEqualTo(3);
    script.set("/a/v1/chat", Behaviour.delayed(4));
    assertThat(millis("/a/v1/chat/completions")).isEqualTo(4);
    assertThat(millis("/ab/v1/chat/completions")).isEqualTo(2);
  }

  @Test
  void a_share_of_the_requests_meets_a_fault() {
    script.set("*", Behaviour.PLAIN.with(Fault.always(Fault.Kind.RESET).withShare(0.1)));

    assertThat(IntStream.range(0, 10_000).filter(i -> turn("/x").fault() != null).count())
        .isBetween(900L, 1100L);
  }

  @Test
  void a_fault_with_a_number_of_times_is_over_after_them() {
    script.set(
        "*",
        Behaviour.PLAIN
            .with(Fault.status(503).withTimes(2))
            .with(Fault.always(Fault.Kind.RESET).withTimes(1)));

    assertThat(IntStream.range(0, 5).mapToObj(i -> kind(turn("/x"))))
        .containsExactly("STATUS", "STATUS", "RESET", "none", "none");
  }

  private static String kind(Script.Turn turn) {
    return turn.fault() == null ? "none" : turn.fault().kind().name();
  }

  private long millis(String path) {
    return turn(path).delayNanos() / 1_000_000;
  }

  private Script.Turn turn(String path) {
    return script.turn(path, Protocol.CHAT);
  }
}
