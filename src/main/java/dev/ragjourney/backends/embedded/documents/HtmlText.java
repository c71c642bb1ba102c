package dev.ragjourney.backends.embedded.documents;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** Reads a web page: headings, paragraphs, list items and table rows; navigation is left out. */
final class HtmlText {
  private static final String CHROME =
      "script, style, noscript, template, nav, header, footer, aside, form, button, iframe, svg,"
          + " [role=navigation], [hidden], .toc, [class^=nav]";

  private static final Set<String> BLOCKS =
      Set.of(
          "p",
          "li",
          "dt",
          "dd",
          "pre",
          "blockquote",
          "tr",
          "div",
          "section",
          "article",
          "main",
          "ul",
          "ol",
          "dl",
          "table",
          "thead",
          "tbody",
          "tfoot",
          "figure",
          "figcaption",
          "address",
          "details",
          "summary",
          "hr",
          "body");

  private final SectionBuilder sections = new SectionBuilder();
  private final StringBuilder text = new StringBuilder();

  private HtmlText() {}

  static Document parse(String source, String fallbackTitle, byte[] bytes) throws IOException {
    org.jsoup.nodes.Document page = Jsoup.parse(new ByteArrayInputStream(bytes), null, "");
    page.select(CHROME).remove();
    HtmlText html = new HtmlText();
    html.walk(page.body());
    html.endParagraph();
    return html.sections.build(source, page.title(), fallbackTitle);
  }

  private void walk(Element element) {
    for (Node node : element.childNodes()) {
      if (node instanceof TextNode words) {
        text.append(words.getWholeText());
      } else if (node instanceof Element child) {
        enter(child, child.normalName().toLowerCase(Locale.ROOT));
      }
    }
  }

  private void enter(Element child, String name) {
    if (name.length() == 2 && name.charAt(0) == 'h' && Character.isDigit(name.charAt(1))) {
      endParagraph();
      sections.heading(name.charAt(1) - '0', child.text());
    } else if (BLOCKS.contains(name)) {
      endParagraph();
      walk(child);
      endParagraph();
    } else if (name.equals("br") || name.equals("td") || name.equals("th")) {
      text.append(' ');
      walk(child);
      text.append(' ');
    } else {
      walk(child);
    }
  }

  private void endParagraph() {
    sections.paragraph(text.toString());
    text.setLength(0);
  }
}
