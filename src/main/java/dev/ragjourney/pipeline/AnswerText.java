package dev.ragjourney.pipeline;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sizes and cuts of texts, without a model's tokenizer. */
final class AnswerText {
  /** A cut answer shorter than this says too little to be one. */
  static final int LEAST_TOKENS = 20;

  private static final int CHARS_PER_TOKEN = 4;

  private AnswerText() {}

  /** Tokens, estimated at four characters each. */
  static int tokens(CharSequence text) {
    return tokens(text.length());
  }

  static int tokens(int characters) {
    return Math.ceilDiv(characters, CHARS_PER_TOKEN);
  }

  static boolean longEnough(CharSequence text) {
    return tokens(text) >= LEAST_TOKENS;
  }

  /**
   * The text up to the end of its last whole sentence; up to its last whole word where that would
   * leave too little.
   */
  static String cutAtSentence(String text) {
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(text);
    int last = sentences.last();
    String stripped = text.stripTrailing();
    boolean whole =
        !stripped.isEmpty() && ".!?。！？".indexOf(stripped.charAt(stripped.length() - 1)) >= 0;
    int end = whole ? last : Math.max(0, sentences.preceding(last));
    String cut = text.substring(0, end).stripTrailing();
    if (longEnough(cut)) {
      return cut;
    }
    int blank = stripped.lastIndexOf(' ');
    return blank > 0 ? stripped.substring(0, blank) : stripped;
  }

  /**
   * The first whole passages that fit; always the first one.
   *
   * @param maxTokens null for no limit
   */
  static List<Passage> fitting(List<Passage> passages, @Nullable Integer maxTokens) {
    if (maxTokens == null) {
      return passages;
    }
    List<Passage> fitting = new ArrayList<>();
    int used = 0;
    for (Passage passage : passages) {
      used += tokens(passage.text());
      if (used > maxTokens && !fitting.isEmpty()) {
        break;
      }
      fitting.add(passage);
    }
    return fitting;
  }
}
