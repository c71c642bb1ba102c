package dev.ragjourney.server;

import dev.ragjourney.pipeline.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The newest part of a conversation: whole turns, but a long one only from its beginning. Chat
 * programs send everything ever said, and a prompt must stay one that the model reads in time.
 *
 * @param turns kept, oldest first
 * @param dropped how many older ones are not
 */
record Conversation(List<Turn> turns, int dropped) {
  static final int MAX_TURNS = 20;

  /** Of all turns kept: about 3,000 tokens. */
  static final int MAX_CHARACTERS = 12_000;

  /** Of one turn. */
  static final int MAX_TURN_CHARACTERS = 4_000;

  Conversation {
    turns = List.copyOf(turns);
  }

  /**
   * @param all oldest first
   */
  static Conversation newest(List<Turn> all) {
    Deque<Turn> kept = new ArrayDeque<>();
    int characters = 0;
    for (Turn turn : all.reversed()) {
      Turn cut = new Turn(turn.speaker(), cut(turn.text()));
      characters += cut.text().length();
      if (kept.size() == MAX_TURNS || characters > MAX_CHARACTERS) {
        break;
      }
      kept.addFirst(cut);
    }
    return new Conversation(new ArrayList<>(kept), all.size() - kept.size());
  }

  private static String cut(String text) {
    if (text.length() <= MAX_TURN_CHARACTERS) {
      return text;
    }
    int end = MAX_TURN_CHARACTERS - 1;
    boolean splitsPair = Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, splitsPair ? end - 1 : end) + "…";
  }
}
