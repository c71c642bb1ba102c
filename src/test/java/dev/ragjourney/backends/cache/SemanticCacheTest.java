package dev.ragjourney.backends.cache;

import static dev.ragjourney.pipeline.AnswerCache.Lookup.HIT;
import static dev.ragjourney.pipeline.AnswerCache.Lookup.MISS;
import static dev.ragjourney.pipeline.AnswerCache.Lookup.NEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.pipeline.AnswerCache.Asked;
import dev.ragjourney.pipeline.AnswerCache.Found;
import dev.ragjourney.pipeline.AnswerCache.Kept;
import dev.ragjourney.pipeline.AnswerCache.Stock;
import dev.ragjourney.pipeline.Passage;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SemanticCacheTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final SemanticCache cache = cache(100, 10_000_000);

  private static SemanticCache cache(int maxEntries, long maxBytes) {
    return new SemanticCache(maxEntries, maxBytes, Duration.ofHours(1), null);
  }

  private static Asked asked(String tenant, String text, float... vector) {
    return new Asked(tenant, text, "e5", vector.length == 0 ? null : vector);
  }

  private static Asked asked(String text) {
    return asked("", text, 1, 0);
  }

  private static Kept answer(String content) {
    return new Kept(content, List.of(new Passage("a", "A", "", 1)));
  }

  private Found find(Asked question) {
    return cache.find(question, 0.92, 0);
  }

  @Test
  void the_answer_of_the_nearest_question_with_the_same_words_is_found_with_its_sources() {
    cache.keep(asked("", "How do I reset my password?", 1, 0.1f), answer("by mail"), 0);
    cache.keep(asked("", "How can I reset the password?", 1, 0.05f), answer("by phone"), 0);
    assertThat(find(asked("how would I reset my password")))
        .isEqualTo(new Found(HIT, answer("by phone")));
  }

  @Test
  void a_question_that_is_near_and_has_other_words_is_no_hit() {
    cache.keep(asked("What is Anna's number?"), answer("12"), 0);
    assertThat(find(asked("What is Bob's number?"))).isEqualTo(new Found(NEAR, null));
  }

  @ParameterizedTest(name = "second component {0}: {1}")
  @CsvSource({"0.42, HIT", "0.44, MISS"})
  void the_cosine_must_reach_the_declared_minimum(float component, String lookup) {
    cache.keep(asked("", "How do I reset my password?", 1, component), answer("by mail"), 0);
    assertThat(find(asked("How can I reset my password?")).lookup()).hasToString(lookup);
  }

  @Test
  void the_very_same_question_needs_no_vector() {
    cache.keep(asked("Why?"), answer("because"), 0);
    assertThat(find(asked("", "Why?")).lookup()).isEqualTo(HIT);
    assertThat(find(asked("", "Why not?")).lookup()).isEqualTo(MISS);
  }

  @Test
  void tenants_share_nothing() {
    cache.keep(asked("red", "How do I pay?", 1, 0), answer("by card"), 0);
    assertThat(find(asked("blue", "How do I pay?", 1, 0)).lookup()).isEqualTo(MISS);
    assertThat(find(asked("blue", "How can I pay?", 1, 0)).lookup()).isEqualTo(MISS);
    assertThat(find(asked("red", "How can I pay?", 1, 0)).lookup()).isEqualTo(HIT);
  }

  @Test
  void vectors_of_two_embedders_are_never_compared() {
    cache.keep(asked("How do I pay?"), answer("by card"), 0);
    Asked other = new Asked("", "How can I pay?", "minilm", new float[] {1, 0});
    assertThat(find(other).lookup()).isEqualTo(MISS);
    assertThat(find(asked("", "How can I pay?", 1, 0, 0)).lookup()).isEqualTo(MISS);
  }

  @Test
  void an_answer_older_than_its_time_is_none() {
    cache.keep(asked("How do I pay?"), answer("by card"), 0);
    for (String again : List.of("How do I pay?", "How can I pay?")) {
      assertThat(cache.find(asked(again), 0.92, HOUR - 1).lookup()).isEqualTo(HIT);
      assertThat(cache.find(asked(again), 0.92, HOUR)).isEqualTo(new Found(MISS, null));
    }
  }

  @Test
  void an_answer_given_anew_counts_as_new_and_takes_the_old_one_s_place() {
    cache.keep(asked("How do I pay?"), answer("by card"), 0);
    assertThat(cache.keep(asked("How do I pay?"), answer("in cash"), HOUR - 1))
        .isEqualTo(new Stock(1, 0));
    assertThat(cache.find(asked("How do I pay?"), 0.92, HOUR).answer())
        .isEqualTo(answer("in cash"));
  }

  @Test
  void beyond_its_entries_the_answers_kept_longest_go() {
    SemanticCache small = cache(2, 10_000_000);
    small.keep(asked("one?"), answer("1"), 0);
    small.keep(asked("two?"), answer("2"), 1);
    small.keep(asked("one?"), answer("1 again"), 2);
    assertThat(small.keep(asked("three?"), answer("3"), 3)).isEqualTo(new Stock(2, 1));
    assertThat(small.find(asked("", "two?"), 0.92, 3).lookup()).isEqualTo(MISS);
    assertThat(small.find(asked("", "one?"), 0.92, 3).answer()).isEqualTo(answer("1 again"));
  }

  @Test
  void old_answers_give_their_room_back_when_one_is_kept() {
    cache.keep(asked("one?"), answer("1"), 0);
    cache.keep(asked("two?"), answer("2"), 1);
    assertThat(cache.keep(asked("three?"), answer("3"), HOUR)).isEqualTo(new Stock(2, 1));
  }

  @Test
  void its_memory_is_bounded_whatever_the_answers_size() {
    SemanticCache small = cache(1_000, 100_000);
    String page = "x".repeat(10_000);
    Stock last = new Stock(0, 0);
    for (int i = 0; i < 50; i++) {
      last = small.keep(asked("question " + i), answer(page), i);
    }
    assertThat(last.entries()).isBetween(1, 5);
    assertThat(small.keep(asked("too much"), answer("x".repeat(60_000)), 60).entries()).isZero();
    assertThat(small.keep(asked("less"), answer("x"), 61).entries()).isOne();
  }

  @Test
  void many_threads_keep_and_find_at_once_and_every_hit_is_the_question_s_own() throws Exception {
    SemanticCache small = cache(50, 10_000_000);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> all =
          IntStream.range(0, 4).mapToObj(seed -> threads.submit(() -> busy(small, seed))).toList();
      int hits = 0;
      for (Future<Integer> one : all) {
        hits += one.get();
      }
      assertThat(hits).isPositive();
    }
    assertThat(small.keep(asked("the last"), answer("!"), 10_000).entries()).isEqualTo(50);
  }

  private static int busy(SemanticCache cache, int seed) {
    Random random = new Random(seed);
    int hits = 0;
    for (int i = 0; i < 5_000; i++) {
      String text = "what is " + random.nextInt(100);
      if (random.nextBoolean()) {
        cache.keep(asked(text), answer(text), i);
      } else {
        Kept found = cache.find(asked(text + "?"), 0.92, i).answer();
        assertThat(found).isIn(null, answer(text));
        hits += found == null ? 0 : 1;
      }
    }
    return hits;
  }

  @Test
  void a_vector_kept_in_bytes_has_almost_the_same_direction() {
    Random random = new Random(7);
    for (int dimension : new int[] {2, 384, 3072}) {
      for (int i = 0; i < 200; i++) {
        float[] one = random(random, dimension);
        float[] other = random(random, dimension);
        for (int c = 0; c < dimension; c++) {
          other[c] = one[c] + 0.4f * other[c];
        }
        assertThat(CoarseVector.of(one).cosine(CoarseVector.of(other)))
            .isCloseTo(cosine(one, other), within(0.005));
      }
    }
    assertThat(CoarseVector.of(new float[3]).cosine(CoarseVector.of(new float[] {1, 0, 0})))
        .isZero();
  }

  private static float[] random(Random random, int dimension) {
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian() / 50;
    }
    return vector;
  }

  private static double cosine(float[] one, float[] other) {
    double dot = 0;
    double ones = 0;
    double others = 0;
    for (int i = 0; i < one.length; i++) {
      dot += one[i] * other[i];
      ones += one[i] * one[i];
      others += other[i] * other[i];
    }
    return dot / Math.sqrt(ones * others);
  }
}
