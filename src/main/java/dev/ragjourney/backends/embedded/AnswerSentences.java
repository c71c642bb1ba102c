package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.documents.Sentences.Span;
import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.UnitVectors;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.StageCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import org.apache.lucene.util.VectorUtil;

/**
 * Chooses the sentences that answer a question best.
 *
 * <p>A sentence's score is ½ × its cosine with the question + 0.35 × the share of the question's
 * words it holds + 0.15 × the share its passage's title holds, words weighed by rarity, − 0.02 for
 * each better passage.
 */
final class AnswerSentences {
  private static final double COSINE = 0.5;
  private static final double WORDS = 0.35;
  private static final double TITLE_WORDS = 0.15;
  private static final double RANK = 0.02;

  /**
   * A passage that matches the question less does not answer it. On a handbook, questions it
   * answers matched at 0.53 to 0.89, questions about other things at 0.20 to 0.43.
   */
  static final double LOWEST_MATCH = 0.48;

  /** A sentence this much weaker than the best one is left out. */
  private static final double SHARE_OF_BEST = 0.75;

  private static final int MOST_SENTENCES = 4;

  /** Passages after these are too weak to be quoted. */
  private static final int MOST_PASSAGES = 10;

  private final VectorSource vectors;

  AnswerSentences(VectorSource vectors) {
    this.vectors = vectors;
  }

  /**
   * @param passage its place in the prompt, from 0
   * @param sentence its place in the passage, from 0
   */
  record Choice(int passage, int sentence, String text, double score) {}

  /** In the order to be read: the best passage's sentences first; empty where nothing fits. */
  List<Choice> choose(StageCall call, String question, List<Passage> passages)
      throws CallCancelledException, BackendException {
    Encoded encoded = vectors.question(call, question);
    byte[] asked = UnitVectors.bytes(encoded.pooled());
    QuestionPieces pieces = QuestionPieces.of(encoded, vectors.weights());
    Map<String, Double> terms = new HashMap<>();
    for (String term : QuestionTerms.of(EmbeddedIndex.ANALYZER, question)) {
      terms.put(term, vectors.rarity(term));
    }
    List<Choice> all = new ArrayList<>();
    for (int i = 0; i < Math.min(passages.size(), MOST_PASSAGES); i++) {
      call.check();
      PassageVectors passage = vectors.passage(call, passages.get(i));
      if (pieces.match(passage) >= LOWEST_MATCH) {
        all.addAll(scored(i, passages.get(i), passage, asked, terms));
      }
    }
    return inReadingOrder(best(all));
  }

  private static List<Choice> scored(
      int rank, Passage passage, PassageVectors of, byte[] asked, Map<String, Double> terms) {
    double title = covered(terms, passage.title());
    List<Choice> choices = new ArrayList<>();
    for (int i = 0; i < of.sentences().size(); i++) {
      Span span = of.sentences().get(i);
      String text = span.of(passage.text());
      double cosine =
          VectorUtil.dotProduct(asked, of.sentenceVectors().get(i)) * UnitVectors.BYTES_TO_COSINE;
      double score =
          COSINE * cosine + WORDS * covered(terms, text) + TITLE_WORDS * title - RANK * rank;
      choices.add(new Choice(rank, i, text, score));
    }
    return choices;
  }

  /** The share of the question's words that the text holds, weighed by rarity. */
  private static double covered(Map<String, Double> terms, String text) {
    double all = 0;
    double held = 0;
    SequencedSet<String> words = QuestionTerms.all(EmbeddedIndex.ANALYZER, text);
    for (Map.Entry<String, Double> term : terms.entrySet()) {
      all += term.getValue();
      held += words.contains(term.getKey()) ? term.getValue() : 0;
    }
    return all == 0 ? 0 : held / all;
  }

  private static List<Choice> best(List<Choice> all) {
    List<Choice> sorted =
        all.stream().sorted(Comparator.comparingDouble(Choice::score).reversed()).toList();
    List<Choice> chosen = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (Choice choice : sorted) {
      double lowest = SHARE_OF_BEST * sorted.getFirst().score();
      if (choice.score() < lowest || chosen.size() >= MOST_SENTENCES) {
        break;
      }
      if (texts.add(choice.text())) {
        chosen.add(choice);
        all.stream()
            .filter(next -> leadsTo(choice, next))
            .filter(next -> texts.add(next.text()))
            .forEach(chosen::add);
      }
    }
    return chosen;
  }

  /** A question, an announcement or an open end is nothing without the sentence after it. */
  private static boolean leadsTo(Choice choice, Choice next) {
    char last = choice.text().charAt(choice.text().length() - 1);
    return (last == '?' || last == ':' || Character.isLetterOrDigit(last))
        && next.passage() == choice.passage()
        && next.sentence() == choice.sentence() + 1;
  }

  private static List<Choice> inReadingOrder(List<Choice> chosen) {
    List<Integer> passages = chosen.stream().map(Choice::passage).distinct().toList();
    return chosen.stream()
        .sorted(
            Comparator.comparingInt((Choice choice) -> passages.indexOf(choice.passage()))
                .thenComparingInt(Choice::sentence))
        .toList();
  }
}
