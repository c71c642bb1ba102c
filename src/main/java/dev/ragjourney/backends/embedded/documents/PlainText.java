package dev.ragjourney.backends.embedded.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads plain text. Blank lines divide paragraphs. A heading is a line underlined with {@code =} or
 * {@code -}, or a short line that stands alone, does not end like a sentence, and has text below.
 */
final class PlainText {
  private static final int LONGEST_HEADING = 100;
  private static final Pattern BLANK_LINES = Pattern.compile("\\R[\\h\\f]*(?:\\R[\\h\\f]*)*\\R");
  private static final Pattern UNDERLINE = Pattern.compile("\\h*(={3,}|-{3,}|~{3,})\\h*");

  /** The first line of a text that names no title counts as one up to this length. */
  private static final int LONGEST_TITLE = 120;

  private PlainText() {}

  static Document parse(String source, String fallbackTitle, String text) {
    SectionBuilder sections = new SectionBuilder();
    List<Block> blocks = blocks(text);
    for (int i = 0; i < blocks.size(); i++) {
      boolean textBelow = i + 1 < blocks.size() && !blocks.get(i + 1).looksLikeHeading();
      Block block = blocks.get(i);
      if (block.heading() != null) {
        sections.heading(block.level(), block.heading());
        sections.paragraph(block.text());
      } else if (textBelow && block.looksLikeHeading()) {
        sections.heading(i == 0 ? 1 : 2, block.text());
      } else {
        sections.paragraph(block.text());
      }
    }
    return sections.build(source, null, firstLine(blocks, fallbackTitle));
  }

  /** A record's text: paragraphs only, since the record names its own title. */
  static Document parseBody(String source, String title, String text) {
    SectionBuilder sections = new SectionBuilder();
    blocks(text).forEach(block -> sections.paragraph(block.whole()));
    return sections.build(source, title, title);
  }

  private static String firstLine(List<Block> blocks, String fallback) {
    if (blocks.isEmpty()) {
      return fallback;
    }
    String first = blocks.getFirst().whole().lines().findFirst().orElse("").strip();
    return first.isEmpty() || first.length() > LONGEST_TITLE ? fallback : first;
  }

  private static List<Block> blocks(String text) {
    List<Block> blocks = new ArrayList<>();
    for (String raw : BLANK_LINES.splitAsStream(text).toList()) {
      if (!raw.isBlank()) {
        blocks.add(Block.of(raw.strip()));
      }
    }
    return blocks;
  }

  /**
   * @param whole the block as written
   * @param heading the underlined line; null if there is none
   * @param level 1 for {@code =}, 2 for the others
   * @param text without the heading
   */
  private record Block(String whole, @Nullable String heading, int level, String text) {

    static Block of(String raw) {
      List<String> lines = raw.lines().toList();
      if (lines.size() >= 2 && UNDERLINE.matcher(lines.get(1)).matches()) {
        String rest = String.join("\n", lines.subList(2, lines.size()));
        int level = lines.get(1).contains("=") ? 1 : 2;
        return new Block(raw, lines.getFirst(), level, rest);
      }
      return new Block(raw, null, 0, raw);
    }

    boolean looksLikeHeading() {
      if (heading != null) {
        return true;
      }
      if (text.length() > LONGEST_HEADING || text.lines().count() > 1) {
        return false;
      }
      char first = text.charAt(0);
      char last = text.charAt(text.length() - 1);
      return (Character.isUpperCase(first) || Character.isDigit(first))
          && ".!:;,".indexOf(last) < 0;
    }
  }
}
