package dev.ragjourney.backends.embedded.documents;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Divides text into sentences. A blank line ends a sentence too. */
public final class Sentences {
  private Sentences() {}

  /**
   * @param start of the sentence's first character
   * @param end after its last one, white space at the end left out
   */
  public record Span(int start, int end) {
    public String of(String text) {
      return text.substring(start, end);
    }
  }

  public static List<Span> spans(String text) {
    List<Span> spans = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int blank = text.indexOf("\n\n", from);
      int to = blank < 0 ? text.length() : blank;
      addSentences(text, from, to, spans);
      from = to + 2;
    }
    return spans;
  }

  private static void addSentences(String text, int from, int to, List<Span> spans) {
    BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ENGLISH);
    breaks.setText(text.substring(from, to));
    int start = breaks.first();
    for (int end = breaks.next(); end != BreakIterator.DONE; start = end, end = breaks.next()) {
      int first = from + start;
      int last = from + end;
      while (first < last && Character.isWhitespace(text.charAt(first))) {
        first++;
      }
      while (last > first && Character.isWhitespace(text.charAt(last - 1))) {
        last--;
      }
      if (last > first) {
        spans.add(new Span(first, last));
      }
    }
  }
}
