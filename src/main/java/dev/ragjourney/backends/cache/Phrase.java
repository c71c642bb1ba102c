package dev.ragjourney.backends.cache;

import java.util.List;

/**
 * Words that say together what fewer words say, or nothing.
 *
 * @param words each a choice of words; one that ends in an empty choice may be absent
 * @param meaning what stands for them; empty for nothing
 * @param opens only at the beginning of a question
 */
record Phrase(List<List<String>> words, List<String> meaning, boolean opens) {
  Phrase {
    words = List.copyOf(words);
    meaning = List.copyOf(meaning);
  }

  /**
   * @param line {@code "how do|can i|we|= > ?how"}: choices by {@code |}, {@code =} for none, the
   *     meaning after {@code >}; {@code ^} in front for the beginning only
   */
  static Phrase parse(String line) {
    boolean opens = line.startsWith("^");
    String[] sides = line.substring(opens ? 1 : 0).split(">", -1);
    return new Phrase(
        List.of(sides[0].strip().split(" +")).stream()
            .map(choices -> List.of(choices.split("\\|")))
            .toList(),
        sides[1].isBlank() ? List.of() : List.of(sides[1].strip().split(" +")),
        opens);
  }

  /** How many tokens from this one on the phrase takes, at most; 0 if it is not there. */
  int length(List<Token> tokens, int at) {
    return opens && at > 0 ? 0 : Math.max(0, length(tokens, at, 0));
  }

  private int length(List<Token> tokens, int at, int word) {
    if (word == words.size()) {
      return 0;
    }
    List<String> choices = words.get(word);
    int longest = -1;
    if (at < tokens.size() && !tokens.get(at).name() && choices.contains(tokens.get(at).text())) {
      int rest = length(tokens, at + 1, word + 1);
      longest = rest < 0 ? -1 : rest + 1;
    }
    if (longest < 0 && choices.contains("=")) {
      longest = length(tokens, at, word + 1);
    }
    return longest;
  }
}
