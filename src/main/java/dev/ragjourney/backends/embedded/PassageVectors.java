package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.documents.Sentences;
import dev.ragjourney.backends.embedded.documents.Sentences.Span;
import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.UnitVectors;
import dev.ragjourney.pipeline.Passage;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;

/**
 * What the model makes of one passage, from a single run: a vector for each word piece that carries
 * meaning and one for each sentence, as bytes of which 127 means 1.
 *
 * @param pieces in reading order, the title's first; marks, punctuation and stop words left out
 * @param sentences of the passage's text
 * @param sentenceVectors the mean of each sentence's pieces; zero where the model did not see it
 */
record PassageVectors(List<byte[]> pieces, List<Span> sentences, List<byte[]> sentenceVectors) {
  private static final CharArraySet STOP_WORDS = EnglishAnalyzer.ENGLISH_STOP_WORDS_SET;

  PassageVectors {
    pieces = List.copyOf(pieces);
    sentences = List.copyOf(sentences);
    sentenceVectors = List.copyOf(sentenceVectors);
  }

  /** The text that the model is given for a passage. */
  static String modelText(Passage passage) {
    return passage.title() + "\n" + passage.text();
  }

  /**
   * @param encoded of {@link #modelText}
   */
  static PassageVectors of(Passage passage, Encoded encoded) {
    int textStart = passage.title().length() + 1;
    List<byte[]> pieces = new ArrayList<>();
    for (int i = 0; i < encoded.size(); i++) {
      if (meaningful(encoded, i)) {
        pieces.add(UnitVectors.bytes(encoded.mean(i, i + 1)));
      }
    }
    List<Span> sentences = Sentences.spans(passage.text());
    List<byte[]> vectors = new ArrayList<>(sentences.size());
    int piece = 0;
    for (Span sentence : sentences) {
      while (piece < encoded.size() && encoded.starts()[piece] < textStart + sentence.start()) {
        piece++;
      }
      int first = piece;
      // The closing mark has no place in the text and is nobody's piece.
      while (piece < encoded.size()
          && encoded.starts()[piece] >= 0
          && encoded.starts()[piece] < textStart + sentence.end()) {
        piece++;
      }
      vectors.add(UnitVectors.bytes(encoded.mean(first, piece)));
    }
    return new PassageVectors(pieces, sentences, vectors);
  }

  /** Whether a word piece says something by itself. */
  static boolean meaningful(Encoded encoded, int index) {
    String piece = encoded.pieces()[index];
    boolean mark = encoded.starts()[index] < 0;
    boolean letters = Character.isLetterOrDigit(piece.codePointBefore(piece.length()));
    return !mark && letters && !STOP_WORDS.contains(piece);
  }

  /** About the heap bytes this takes: 16 of each array's header included. */
  long bytes() {
    return (long) (pieces.size() + sentenceVectors.size()) * (Encoded.DIMENSION + 20)
        + sentences.size() * 28L;
  }
}
