package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.pipeline.Turn;
import dev.ragjourney.pipeline.Turn.Speaker;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConversationTest {
  @Test
  void a_short_conversation_is_kept_whole() {
    List<Turn> all = turns(3, 10);

    assertThat(Conversation.newest(all)).isEqualTo(new Conversation(all, 0));
    assertThat(Conversation.newest(List.of())).isEqualTo(new Conversation(List.of(), 0));
  }

  @Test
  void of_many_turns_the_newest_are_kept() {
    List<Turn> all = turns(50, 10);

    assertThat(Conversation.newest(all)).isEqualTo(new Conversation(all.subList(30, 50), 30));
  }

  @Test
  void of_long_turns_as_many_whole_ones_are_kept_as_fit() {
    List<Turn> all = turns(10, 2_500);

    assertThat(Conversation.newest(all)).isEqualTo(new Conversation(all.subList(6, 10), 6));
  }

  @Test
  void a_turn_that_is_too_long_is_kept_from_its_beginning_and_no_character_is_split() {
    String text = "x".repeat(3_998) + "\uD83D\uDE00" + "y".repeat(100_000);

    Conversation kept = Conversation.newest(List.of(new Turn(Speaker.USER, text)));

    assertThat(kept.turns()).containsExactly(new Turn(Speaker.USER, "x".repeat(3_998) + "…"));
    assertThat(kept.dropped()).isZero();
  }

  private static List<Turn> turns(int count, int length) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Turn(
                    i % 2 == 0 ? Speaker.USER : Speaker.ASSISTANT,
                    ("%-" + length + "d").formatted(i)))
        .toList();
  }
}
