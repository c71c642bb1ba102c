package dev.ragjourney.backends.embedded.documents;

import java.util.List;

/**
 * One text, divided at its headings.
 *
 * @param source where it came from: the file's path below the folder, with the record's id after a
 *     slash for a record of a jsonl file that has one
 * @param title for the reader
 * @param sections in reading order
 */
record Document(String source, String title, List<Section> sections) {
  Document {
    sections = List.copyOf(sections);
  }

  /**
   * @param headings above the text, outermost first; empty for text before the first one
   * @param paragraphs one block of text each, white space collapsed
   */
  record Section(List<String> headings, List<String> paragraphs) {
    Section {
      headings = List.copyOf(headings);
      paragraphs = List.copyOf(paragraphs);
    }
  }
}
