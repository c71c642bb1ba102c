package dev.ragjourney.backends.embedded.documents;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Divides text into sentences. A blank line ends a sentence too. */
public final class Sentences {
  /** Characters; a shorter piece joins the next one of its paragraph. */
  private static final int SHORTEST = 25;

  /** What ends with a full stop and is not the end. */
  private static final Pattern ABBREVIATION =
      Pattern.compile("\\b(?:Mrs?|Ms|Dr|Prof|St|No|Fig|Sec|vs|cf|e\\.g|i\\.e|approx|incl)\\.\\s*$");

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
    int start = from;
    for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
      boolean last = from + end == to;
      boolean whole =
          from + end - start >= SHORTEST
              && !ABBREVIATION.matcher(text.substring(start, from + end)).find();
      if (last || whole) {
        add(text, start, from + end, spans);
        start = from + end;
      }
    }
  }

  private static void add(String text, int from, int to, List<Span> spans) {
    int start = from;
    int end = to;
    while (start < end && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    while (end > start && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    if (end > start) {
      spans.add(new Span(start, end));
    }
  }
}
