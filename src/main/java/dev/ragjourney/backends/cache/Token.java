package dev.ragjourney.backends.cache;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One word, number or sign of a question.
 *
 * @param text in lower case
 * @param name written with a capital where a plain word would not be: {@code US} is not "us"
 */
record Token(String text, boolean name) {
  private static final Map<Character, String> SIGNS =
      Map.of('€', "euro", '$', "dollar", '£', "pound", '%', "percent", '§', "paragraph");

  /** Above this share of capitals a title or a shout is read, and a capital means nothing. */
  private static final double SHOUTED = 0.6;

  static Token of(String text) {
    return new Token(text, false);
  }

  /**
   * The question in pieces; what is neither letter, digit nor a sign with a meaning is left out.
   */
  static List<Token> all(String question) {
    String text = Normalizer.normalize(question, Normalizer.Form.NFKC).replace('’', '\'');
    List<String> words = new ArrayList<>();
    List<Boolean> first = new ArrayList<>();
    boolean begins = true;
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      int end = i + 1;
      if (startsWord(text, i)) {
        end = wordEnd(text, i);
        words.add(text.substring(i, end));
        first.add(begins);
        begins = false;
      } else if (SIGNS.containsKey(c) || "<>=≤≥+".indexOf(c) >= 0) {
        words.add(SIGNS.getOrDefault(c, String.valueOf(c)));
        first.add(begins);
      } else if (".?!:;\"()".indexOf(c) >= 0) {
        begins = true;
      }
      i = end;
    }
    boolean shouted = shouted(words);
    List<Token> tokens = new ArrayList<>();
    for (int w = 0; w < words.size(); w++) {
      String word = words.get(w);
      boolean capital = Character.isUpperCase(word.charAt(0)) && word.length() > 1;
      tokens.add(new Token(plain(word), capital && !first.get(w) && !shouted));
    }
    return tokens;
  }

  private static boolean startsWord(String text, int at) {
    char c = text.charAt(at);
    boolean signed =
        c == '-'
            && at + 1 < text.length()
            && Character.isDigit(text.charAt(at + 1))
            && (at == 0 || Character.isWhitespace(text.charAt(at - 1)));
    return signed || isLetter(text, at);
  }

  private static int wordEnd(String text, int from) {
    int end = from + 1;
    while (end < text.length() && (isLetter(text, end) || joins(text, end))) {
      end++;
    }
    // C++ and C# are names, not C.
    while (end < text.length() && (text.charAt(end) == '+' || text.charAt(end) == '#')) {
      end++;
    }
    return end;
  }

  private static boolean isLetter(String text, int at) {
    char c = text.charAt(at);
    return Character.isLetterOrDigit(c) || Character.isSurrogate(c) || c == '_' || isMark(c);
  }

  private static boolean isMark(char c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  /** An apostrophe within a word; a point, comma, colon or slash within a number. */
  private static boolean joins(String text, int at) {
    if (at + 1 >= text.length()) {
      return false;
    }
    char before = text.charAt(at - 1);
    char after = text.charAt(at + 1);
    return text.charAt(at) == '\''
        ? Character.isLetterOrDigit(before) && Character.isLetter(after)
        : ".,:/".indexOf(text.charAt(at)) >= 0
            && Character.isDigit(before)
            && Character.isDigit(after);
  }

  private static String plain(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return Character.isDigit(lower.charAt(0))
        ? lower.replaceAll("(?<=\\d),(?=\\d{3}(\\D|$))", "")
        : lower;
  }

  private static boolean shouted(List<String> words) {
    long letters = words.stream().filter(word -> Character.isLetter(word.charAt(0))).count();
    long capitals = words.stream().filter(word -> Character.isUpperCase(word.charAt(0))).count();
    return letters > 1 && capitals > SHOUTED * letters;
  }
}
