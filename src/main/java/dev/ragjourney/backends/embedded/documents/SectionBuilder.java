package dev.ragjourney.backends.embedded.documents;

import dev.ragjourney.backends.embedded.documents.Document.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects headings and paragraphs in reading order and makes sections of them. */
final class SectionBuilder {
  private final List<Section> sections = new ArrayList<>();
  private final List<Heading> above = new ArrayList<>();
  private List<String> paragraphs = new ArrayList<>();
  private @Nullable String firstHeading;

  private record Heading(int level, String text) {}

  void heading(int level, String raw) {
    String text = collapsed(raw);
    if (text.isEmpty()) {
      return;
    }
    endSection();
    above.removeIf(heading -> heading.level >= level);
    above.add(new Heading(level, text));
    if (firstHeading == null) {
      firstHeading = text;
    }
  }

  void paragraph(String raw) {
    String text = collapsed(raw);
    if (!text.isEmpty()) {
      paragraphs.add(text);
    }
  }

  /**
   * @param declaredTitle the title the file itself declares; null if none
   * @param fallbackTitle where neither a title nor a heading is there
   */
  Document build(String source, @Nullable String declaredTitle, String fallbackTitle) {
    endSection();
    String title = declaredTitle == null ? "" : collapsed(declaredTitle);
    if (title.isEmpty()) {
      title = firstHeading == null ? fallbackTitle : firstHeading;
    }
    return new Document(source, title, sections);
  }

  private void endSection() {
    if (!paragraphs.isEmpty()) {
      sections.add(new Section(above.stream().map(Heading::text).toList(), paragraphs));
      paragraphs = new ArrayList<>();
    }
  }

  /** White space of any kind, also non-breaking and zero-width, becomes one blank. */
  static String collapsed(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    boolean blank = false;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c)) {
        blank = true;
      } else if (c != '\u200B' && c != '\uFEFF' && c != '\u00AD') {
        if (blank && !text.isEmpty()) {
          text.append(' ');
        }
        blank = false;
        text.append(c);
      }
    }
    return text.toString();
  }
}
