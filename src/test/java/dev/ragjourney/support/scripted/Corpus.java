package dev.ragjourney.support.scripted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A small handbook that searches are answered from, and a crude measure of likeness. */
final class Corpus {
  record Entry(String id, String title, String text) {}

  record Hit(Entry entry, double score) {}

  private static final List<String> SENTENCES =
      List.of(
          "The reading room opens at nine in the morning and closes at eight in the evening.",
          "A book may be borrowed for four weeks and renewed twice unless somebody waits for it.",
          "A lost library card is replaced at the front desk for a fee of five coins.",
          "Rare maps are kept in the cellar and can be seen by appointment only.",
          "The coffee machine on the second floor takes coins but gives no change.",
          "Children under twelve need the signature of a parent to get a card.",
          "Late returns cost ten cents a day, and never more than the price of the book.",
          "The quiet rooms on the third floor can be reserved for two hours a day.",
          "Printing is free up to twenty pages a month and costs five cents a page after that.",
          "The lift is out of order on the first Monday of every month while it is inspected.",
          "Newspapers of the last ten years are on microfilm in the basement.",
          "Dogs are welcome in the garden and not in the building.",
          "The book bus stops at the market square on Thursdays from two to five.",
          "Interlibrary loans take about a week and cost three coins each.",
          "The evening class on bookbinding begins in October and lasts ten weeks.",
          "Donated books are welcome on Saturdays if they are clean and complete.");

  private static final List<Entry> ENTRIES = entries();

  private Corpus() {}

  private static List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < SENTENCES.size(); i++) {
      entries.add(new Entry("library.txt#" + i, "Library handbook", SENTENCES.get(i)));
    }
    return List.copyOf(entries);
  }

  /** The entries most like the question, best first; at most {@code topK}. */
  static List<Hit> search(String question, int topK) {
    return ENTRIES.stream()
        .map(entry -> new Hit(entry, likeness(question, entry.text())))
        .sorted(Comparator.comparingDouble(Hit::score).reversed())
        .limit(Math.max(topK, 0))
        .toList();
  }

  /** 0…1: the share of the question's words that the text has too. */
  static double likeness(String question, String text) {
    Set<String> asked = words(question);
    if (asked.isEmpty()) {
      return 0;
    }
    Set<String> common = new HashSet<>(asked);
    common.retainAll(words(text));
    return (double) common.size() / asked.size();
  }

  /** A unit vector made of the text's words: texts that share words are close. */
  static float[] vector(String text, int dimension) {
    double[] sum = new double[dimension];
    for (String word : words(text)) {
      sum[Math.floorMod(word.hashCode() * 31, dimension)] += 1;
      sum[Math.floorMod(word.hashCode() * 17 + 7, dimension)] += 0.5;
    }
    double norm = 0;
    for (double each : sum) {
      norm += each * each;
    }
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) (norm == 0 ? 1 / Math.sqrt(dimension) : sum[i] / Math.sqrt(norm));
    }
    return vector;
  }

  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")) {
      if (word.length() > 2) {
        words.add(word);
      }
    }
    return words;
  }
}
