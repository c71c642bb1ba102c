package dev.ragjourney.backends.embedded.documents;

import dev.ragjourney.backends.embedded.documents.Document.Section;
import dev.ragjourney.backends.embedded.documents.Sentences.Span;
import dev.ragjourney.pipeline.Passage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Packs a document's paragraphs into passages of about {@value #TARGET} words, never across
 * sections. A passage that continues a section begins with the last sentence of the one before.
 *
 * <p>Size counts words, or eight characters where words are longer: text without blanks is bounded
 * too.
 */
final class Chunker {
  static final int TARGET = 200;

  /** A last passage smaller than this joins the one before it. */
  private static final int SMALLEST_TAIL = 40;

  /** A sentence larger than this is not repeated. */
  private static final int LARGEST_OVERLAP = 30;

  private static final int MOST_HEADINGS = 2;

  private static final int CHARS_A_WORD = 8;

  private final Map<String, Integer> countBySource = new HashMap<>();

  /** The ids of one chunker's passages are unique, also when two documents share a source. */
  List<Passage> passages(Document document) {
    List<Passage> passages = new ArrayList<>();
    for (Section section : document.sections()) {
      for (String text : pack(pieces(section.paragraphs()))) {
        int number = countBySource.merge(document.source(), 1, Integer::sum);
        String id = document.source() + "#" + number;
        passages.add(new Passage(id, title(document.title(), section.headings()), text, 0));
      }
    }
    return passages;
  }

  /** The document's title and the nearest headings: enough to tell what the text is about. */
  private static String title(String document, List<String> headings) {
    List<String> parts = new ArrayList<>();
    parts.add(document);
    headings.stream()
        .filter(heading -> !heading.equals(document))
        .skip(Math.max(0, headings.size() - MOST_HEADINGS - (headings.contains(document) ? 1 : 0)))
        .forEach(parts::add);
    return String.join(" › ", parts);
  }

  private static List<String> pack(List<String> pieces) {
    List<List<String>> groups = new ArrayList<>();
    int used = 0;
    for (String piece : pieces) {
      int size = size(piece);
      if (groups.isEmpty() || used + size > TARGET) {
        groups.add(new ArrayList<>());
        used = 0;
      }
      groups.getLast().add(piece);
      used += size;
    }
    if (groups.size() > 1 && used < SMALLEST_TAIL) {
      List<String> tail = groups.removeLast();
      groups.getLast().addAll(tail);
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      String overlap = i == 0 ? "" : lastSentence(groups.get(i - 1).getLast());
      String text = String.join("\n\n", groups.get(i));
      texts.add(overlap.isEmpty() ? text : overlap + "\n\n" + text);
    }
    return texts;
  }

  private static String lastSentence(String piece) {
    List<Span> spans = Sentences.spans(piece);
    String last = spans.isEmpty() ? "" : spans.getLast().of(piece);
    return size(last) > LARGEST_OVERLAP ? "" : last;
  }

  private static List<String> pieces(List<String> paragraphs) {
    List<String> pieces = new ArrayList<>();
    for (String paragraph : paragraphs) {
      if (size(paragraph) <= TARGET) {
        pieces.add(paragraph);
      } else {
        splitAtSentences(paragraph, pieces);
      }
    }
    return pieces;
  }

  private static void splitAtSentences(String paragraph, List<String> pieces) {
    int start = -1;
    int end = -1;
    for (Span span : Sentences.spans(paragraph)) {
      if (start >= 0 && size(paragraph.substring(start, span.end())) > TARGET) {
        pieces.add(paragraph.substring(start, end));
        start = -1;
      }
      if (size(span.of(paragraph)) > TARGET) {
        splitAtBlanks(span.of(paragraph), pieces);
      } else {
        start = start < 0 ? span.start() : start;
        end = span.end();
      }
    }
    if (start >= 0) {
      pieces.add(paragraph.substring(start, end));
    }
  }

  private static void splitAtBlanks(String sentence, List<String> pieces) {
    int longest = TARGET * CHARS_A_WORD;
    String rest = sentence;
    while (size(rest) > TARGET) {
      int cut = Math.min(longest, rest.length() - 1);
      int words = 0;
      int lastBlank = -1;
      for (int i = 0; i < cut && words < TARGET; i++) {
        if (rest.charAt(i) == ' ') {
          words++;
          lastBlank = i;
        }
      }
      int at = lastBlank > 0 ? lastBlank : cut;
      if (Character.isLowSurrogate(rest.charAt(at)) && at > 1) {
        at--;
      }
      pieces.add(rest.substring(0, at).strip());
      rest = rest.substring(at).strip();
    }
    if (!rest.isEmpty()) {
      pieces.add(rest);
    }
  }

  static int size(String text) {
    int words = 0;
    boolean inWord = false;
    for (int i = 0; i < text.length(); i++) {
      boolean blank = Character.isWhitespace(text.charAt(i));
      words += !blank && !inWord ? 1 : 0;
      inWord = !blank;
    }
    return Math.max(words, text.length() / CHARS_A_WORD);
  }
}
