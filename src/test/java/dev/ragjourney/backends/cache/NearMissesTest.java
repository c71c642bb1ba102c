package dev.ragjourney.backends.cache;

import static dev.ragjourney.pipeline.AnswerCache.Lookup.HIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.backends.cache.QuestionPairs.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two questions that look alike and want different answers, by the embedded model's vectors. */
class NearMissesTest {
  private static final double DEFAULT_SIMILARITY = 0.92;

  private static QuestionPairs pairs;

  @BeforeAll
  static void load() throws Exception {
    pairs = new QuestionPairs();
  }

  @AfterAll
  static void close() {
    pairs.close();
  }

  @Test
  void there_are_two_hundred_pairs_of_each_and_half_of_them_were_only_measured() {
    assertThat(QuestionPairs.nearMisses()).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
    assertThat(QuestionPairs.paraphrases())
        .hasSizeGreaterThanOrEqualTo(200)
        .doesNotHaveDuplicates();
    assertThat(heldOut(QuestionPairs.nearMisses())).hasSizeGreaterThan(120);
    assertThat(heldOut(QuestionPairs.paraphrases())).hasSizeGreaterThan(100);
  }

  @Test
  void vectors_alone_would_give_a_third_of_the_near_misses_the_wrong_answer() {
    long near =
        QuestionPairs.nearMisses().stream()
            .filter(pair -> pairs.cosine(pair) >= DEFAULT_SIMILARITY)
            .count();
    assertThat((double) near / QuestionPairs.nearMisses().size()).isGreaterThan(0.3);
  }

  @ParameterizedTest(name = "at a cosine of {0}")
  @ValueSource(doubles = {DEFAULT_SIMILARITY, 0.8})
  void at_most_one_in_a_hundred_near_misses_shares_an_answer(double minSimilarity) {
    assertFew(heldOut(QuestionPairs.nearMisses()), minSimilarity);
    assertFew(QuestionPairs.nearMisses(), minSimilarity);
  }

  private static void assertFew(List<Pair> nearMisses, double minSimilarity) {
    List<Pair> wrong = nearMisses.stream().filter(pair -> hits(pair, minSimilarity)).toList();
    assertThat((double) wrong.size() / nearMisses.size())
        .as("share of wrong answers: %s", wrong)
        .isLessThanOrEqualTo(0.01);
  }

  @Test
  void half_of_the_ways_to_ask_the_same_thing_share_an_answer() {
    List<Pair> heldOut = heldOut(QuestionPairs.paraphrases());
    long hits = heldOut.stream().filter(pair -> hits(pair, DEFAULT_SIMILARITY)).count();
    assertThat((double) hits / heldOut.size()).isGreaterThan(0.45);
  }

  @Test
  void no_question_of_the_near_misses_shares_an_answer_with_any_other_of_them() {
    List<String> all =
        QuestionPairs.nearMisses().stream()
            .flatMap(pair -> Stream.of(pair.one(), pair.other()))
            .distinct()
            .toList();
    List<Pair> wrong = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        Pair across = new Pair("across", all.get(i), all.get(j), false);
        if (pairs.cosine(across) >= DEFAULT_SIMILARITY && hits(across, DEFAULT_SIMILARITY)) {
          wrong.add(across);
        }
      }
    }
    assertThat(all).hasSizeGreaterThan(500);
    assertThat(wrong).isEmpty();
  }

  /** Whichever of the two was asked first. */
  private static boolean hits(Pair pair, double minSimilarity) {
    return pairs.asked(pair.one(), pair.other(), minSimilarity) == HIT
        || pairs.asked(pair.other(), pair.one(), minSimilarity) == HIT;
  }

  private static List<Pair> heldOut(List<Pair> all) {
    return all.stream().filter(Pair::heldOut).toList();
  }
}
