package dev.ragjourney.backends.embedded.documents;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;

/** Reads Markdown: headings, paragraphs, list items, code and table rows, without the marks. */
final class MarkdownText {
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  /** Front matter: a block between two lines of three dashes at the very start. */
  private static final Pattern FRONT_MATTER =
      Pattern.compile("\\A---\\R(.*?)\\R(?:---|\\.\\.\\.)(?:\\R|\\z)", Pattern.DOTALL);

  private static final Pattern TITLE =
      Pattern.compile("^title:\\s*[\"']?(.*?)[\"']?\\s*$", Pattern.MULTILINE);

  private final SectionBuilder sections = new SectionBuilder();

  private MarkdownText() {}

  static Document parse(String source, String fallbackTitle, String text) {
    String title = null;
    String body = text;
    Matcher front = FRONT_MATTER.matcher(text);
    if (front.find()) {
      Matcher named = TITLE.matcher(front.group(1));
      title = named.find() ? named.group(1) : null;
      body = text.substring(front.end());
    }
    MarkdownText markdown = new MarkdownText();
    markdown.blocks(PARSER.parse(body));
    return markdown.sections.build(source, title, fallbackTitle);
  }

  private void blocks(Node parent) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
      switch (node) {
        case Heading heading -> sections.heading(heading.getLevel(), inline(heading));
        case Paragraph paragraph -> sections.paragraph(inline(paragraph));
        case FencedCodeBlock code -> sections.paragraph(code.getLiteral());
        case IndentedCodeBlock code -> sections.paragraph(code.getLiteral());
        case HtmlBlock html -> sections.paragraph(Jsoup.parse(html.getLiteral()).text());
        case TableBlock table -> rows(table);
        case BlockQuote quote -> blocks(quote);
        case ListBlock list -> blocks(list);
        case ListItem item -> blocks(item);
        default -> {}
      }
    }
  }

  private void rows(Node table) {
    for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
      if (part instanceof TableRow row) {
        sections.paragraph(inline(row));
      } else {
        rows(part);
      }
    }
  }

  private static String inline(Node parent) {
    StringBuilder text = new StringBuilder();
    appendInline(parent.getFirstChild(), text);
    return text.toString();
  }

  private static void appendInline(@Nullable Node first, StringBuilder text) {
    for (Node node = first; node != null; node = node.getNext()) {
      switch (node) {
        case Text words -> text.append(words.getLiteral());
        case Code code -> text.append(code.getLiteral());
        case SoftLineBreak _, HardLineBreak _ -> text.append(' ');
        default -> {
          appendInline(node.getFirstChild(), text);
          if (node.getParent() instanceof TableRow) {
            text.append(' ');
          }
        }
      }
    }
  }
}
