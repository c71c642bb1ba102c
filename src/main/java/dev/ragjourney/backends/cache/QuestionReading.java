package dev.ragjourney.backends.cache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Sorts the words of a question, whose phrases have been replaced by their meanings. */
final class QuestionReading {
  private static final Set<String> EMPTY_WORDS =
      Set.of("a", "an", "the", "of", "and", "there", "it", "that", "myself", "just", "really");
  private static final Set<String> RELATIONS =
      Set.of("to", "in", "on", "at", "for", "with", "about");

  /** What may stand before the question: "On Sundays, how is overtime paid?" */
  private static final Set<String> OPENERS =
      Set.of(
          "in", "on", "at", "for", "with", "about", "from", "before", "after", "during", "within",
          "without", "under", "if", "until", "since", "to");

  private final List<String> content = new ArrayList<>();
  private final Set<String> asked = new HashSet<>();
  private final Set<String> manner = new HashSet<>();
  private final Set<String> persons = new LinkedHashSet<>();
  private final Set<String> relations = new HashSet<>();
  private boolean sentence;
  private boolean being;
  private boolean pastForm;
  private boolean subject;
  private int of = -1;

  private QuestionReading() {}

  static QuestionWords of(List<Token> question) {
    QuestionReading reading = new QuestionReading();
    openerLast(question).forEach(reading::take);
    return reading.words();
  }

  private static List<Token> openerLast(List<Token> question) {
    if (question.isEmpty() || !OPENERS.contains(question.getFirst().text())) {
      return question;
    }
    int opens = 0;
    while (opens < question.size() && !frames(question.get(opens))) {
      opens++;
    }
    List<Token> turned = new ArrayList<>(question.subList(opens, question.size()));
    turned.addAll(question.subList(0, opens));
    return turned;
  }

  private static boolean frames(Token token) {
    String word = token.text();
    return word.startsWith("?") || word.startsWith("!") || word.equals("be") || word.equals("aux");
  }

  private void take(Token token) {
    String word = token.text();
    if (token.name()) {
      add(word);
    } else if (frames(token)) {
      frame(word);
    } else if (!person(word)) {
      if (word.equals("of")) {
        of = content.size();
      } else if (RELATIONS.contains(word)) {
        relations.add(word);
      } else if (!EMPTY_WORDS.contains(word)) {
        pastForm |= word.endsWith("ed") && !Stems.of(word).equals(word);
        add(word);
      }
    }
  }

  private void frame(String word) {
    sentence = true;
    being |= word.equals("be");
    if (word.startsWith("!")) {
      manner.add(word);
    } else if (word.startsWith("?") && !word.equals("?if")) {
      asked.add(word);
    }
  }

  /** "Me", and "you" beside "I", are whom something is done to: that is content. */
  private boolean person(String word) {
    switch (word) {
      case "i", "we", "you" -> {
        if (subject) {
          return false;
        }
        subject = true;
        persons.add(word);
      }
      case "my", "mine" -> persons.add("i");
      case "our", "ours" -> persons.add("we");
      case "your", "yours" -> persons.add("you");
      default -> {
        return false;
      }
    }
    return true;
  }

  /** "The deputy of my manager" is "my manager's deputy". */
  private void add(String word) {
    String stem = Stems.of(word);
    if (of > 0 && of == content.size()) {
      content.add(of - 1, stem);
    } else {
      content.add(stem);
    }
    of = -1;
  }

  private QuestionWords words() {
    if (pastForm && !being) {
      manner.add("!past");
    }
    boolean done = pastForm && being && subject;
    return new QuestionWords(
        content, asked, manner, done, List.copyOf(persons), relations, sentence);
  }
}
