package dev.ragjourney.backends.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes apart what an apostrophe holds together. */
final class Contractions {
  private static final Map<String, String> NEGATED =
      Map.of("can", "can", "ca", "can", "wo", "will", "sha", "shall");
  private static final Set<String> BEFORE_IS =
      Set.of("what", "who", "where", "when", "how", "why", "it", "that", "there", "here");
  private static final Set<String> FORGETTABLE = Set.of("re", "ve", "ll", "d", "m");

  private Contractions() {}

  /** "What's" is "what is", "can't" is "can not"; a possessive loses its s. */
  static List<Token> written(List<Token> tokens) {
    List<Token> written = new ArrayList<>();
    for (Token token : tokens) {
      String text = token.text();
      int apostrophe = text.lastIndexOf('\'');
      if (text.equals("cannot")) {
        written.add(Token.of("can"));
        written.add(Token.of("not"));
      } else if (apostrophe < 0) {
        written.add(token);
      } else {
        take(token, text.substring(0, apostrophe), text.substring(apostrophe + 1), written);
      }
    }
    return written;
  }

  private static void take(Token token, String before, String after, List<Token> written) {
    if (after.equals("t") && before.endsWith("n")) {
      String verb = before.substring(0, before.length() - 1);
      written.add(Token.of(NEGATED.getOrDefault(verb, verb)));
      written.add(Token.of("not"));
    } else if (after.equals("s") || FORGETTABLE.contains(after)) {
      written.add(new Token(before, token.name()));
      if (after.equals("s") && BEFORE_IS.contains(before)) {
        written.add(Token.of("is"));
      }
    } else {
      written.add(token);
    }
  }
}
