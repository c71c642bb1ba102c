package dev.ragjourney.backends.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** The words of a text as the index knows them: lower case, stemmed, without stop words. */
final class QuestionTerms {
  /** More different words than this say nothing more about what is wanted. */
  static final int MOST_TERMS = 64;

  /** The text is read no further than this: a question of any size costs the same. */
  static final int MOST_CHARACTERS = 8192;

  private QuestionTerms() {}

  static SequencedSet<String> of(Analyzer analyzer, String text) {
    return terms(analyzer, text, MOST_TERMS);
  }

  /** The words of a sentence or title, however many. */
  static SequencedSet<String> all(Analyzer analyzer, String text) {
    return terms(analyzer, text, Integer.MAX_VALUE);
  }

  private static SequencedSet<String> terms(Analyzer analyzer, String text, int most) {
    SequencedSet<String> terms = new LinkedHashSet<>();
    try (TokenStream tokens = analyzer.tokenStream("text", head(text))) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (terms.size() < most && tokens.incrementToken()) {
        terms.add(term.toString());
      }
    } catch (IOException e) {
      // A string in memory does not fail to be read.
      throw new UncheckedIOException(e);
    }
    return terms;
  }

  private static String head(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
  }
}
