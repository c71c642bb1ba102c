package dev.ragjourney.backends.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * A word's dictionary form, and one word for the few that mean the same wherever they are asked
 * for. The stemmer is the cautious one: it never makes one word of "employer" and "employee".
 */
final class Stems {
  private static final Map<String, String> SAME =
      Map.ofEntries(
          Map.entry("notebook", "laptop"),
          Map.entry("terminate", "cancel"),
          Map.entry("purchase", "buy"),
          Map.entry("ill", "sick"),
          Map.entry("max", "maximum"),
          Map.entry("min", "minimum"),
          Map.entry("picture", "photo"),
          Map.entry("telephone", "phone"),
          Map.entry("repair", "fix"),
          Map.entry("obtain", "get"),
          Map.entry("modify", "change"),
          Map.entry("launch", "start"),
          Map.entry("begin", "start"),
          Map.entry("erase", "delete"),
          Map.entry("boss", "manager"),
          Map.entry("price", "cost"),
          Map.entry("duration", "length"),
          Map.entry("pto", "vacation"),
          Map.entry("application", "app"),
          Map.entry("permitted", "allow"),
          Map.entry("included", "include"),
          Map.entry("tyre", "tire"),
          Map.entry("licence", "license"),
          Map.entry("metre", "meter"),
          Map.entry("kilometre", "kilometer"),
          Map.entry("litre", "liter"),
          Map.entry("colour", "color"),
          Map.entry("centre", "center"),
          Map.entry("favourite", "favorite"),
          Map.entry("zero", "0"),
          Map.entry("one", "1"),
          Map.entry("two", "2"),
          Map.entry("three", "3"),
          Map.entry("four", "4"),
          Map.entry("five", "5"),
          Map.entry("six", "6"),
          Map.entry("seven", "7"),
          Map.entry("eight", "8"),
          Map.entry("nine", "9"),
          Map.entry("ten", "10"),
          Map.entry("eleven", "11"),
          Map.entry("twelve", "12"));

  private static final Analyzer ANALYZER =
      new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
          KeywordTokenizer word = new KeywordTokenizer();
          return new TokenStreamComponents(
              word, new EnglishMinimalStemFilter(new KStemFilter(word)));
        }
      };

  private Stems() {}

  static String of(String word) {
    String known = SAME.get(word);
    if (known != null) {
      return known;
    }
    String stem = stem(word);
    return SAME.getOrDefault(stem, stem);
  }

  private static String stem(String word) {
    try (TokenStream tokens = ANALYZER.tokenStream("word", word)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      return tokens.incrementToken() ? term.toString() : word;
    } catch (IOException e) {
      // A string in memory does not fail to be read.
      throw new UncheckedIOException(e);
    }
  }
}
