package dev.ragjourney.backends.cache;

import java.util.List;
import java.util.Set;

/**
 * What decides whether two questions want the same answer, in words. Vectors cannot tell: "Anna's
 * leave" and "Bob's leave", 2023 and 2024, "from A to B" and "from B to A" are nearer to each other
 * than most ways to ask for one thing.
 *
 * @param content the words that say what it is about, in order, in their dictionary form; numbers,
 *     names, negations and directions among them
 * @param asked when, where, who, how much …; empty for a yes or no
 * @param manner may, must, should, past
 * @param done something is done to whoever asks: "how am I billed"
 * @param persons I, you, we, as they come: "can my team see your calendar"
 * @param relations in, on, at, for …
 * @param sentence it is one, not a few keywords
 */
record QuestionWords(
    List<String> content,
    Set<String> asked,
    Set<String> manner,
    boolean done,
    List<String> persons,
    Set<String> relations,
    boolean sentence) {
  private static final Set<String> HOW = Set.of("?how");
  private static final Set<String> WHAT = Set.of("?what");

  QuestionWords {
    content = List.copyOf(content);
    asked = Set.copyOf(asked);
    manner = Set.copyOf(manner);
    persons = List.copyOf(persons);
    relations = Set.copyOf(relations);
  }

  static QuestionWords of(String question) {
    return QuestionReading.of(
        PhraseBook.english().plain(Contractions.written(Token.all(question))));
  }

  /** Whether an answer to one is an answer to the other; if in doubt, no. */
  boolean sameAs(QuestionWords other) {
    return !content.isEmpty()
        && content.equals(other.content)
        && sameAsked(other)
        && done == other.done
        && compatible(Set.copyOf(persons), Set.copyOf(other.persons))
        && (persons.size() != other.persons.size() || persons.equals(other.persons))
        && compatible(relations, other.relations);
  }

  private boolean sameAsked(QuestionWords other) {
    boolean sameManner = manner.equals(other.manner);
    if (sentence == other.sentence) {
      return asked.equals(other.asked) && (asked.equals(HOW) || sameManner);
    }
    // Keywords ask what something is, whether it is, or how it is done.
    Set<String> whole = sentence ? asked : other.asked;
    return whole.equals(HOW) || (sameManner && (whole.equals(WHAT) || whole.isEmpty()));
  }

  /** One may leave out what the other says, but they must not say different things. */
  private static boolean compatible(Set<String> one, Set<String> other) {
    return one.containsAll(other) || other.containsAll(one);
  }
}
