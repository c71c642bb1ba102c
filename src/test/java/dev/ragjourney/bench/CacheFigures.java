package dev.ragjourney.bench;

import dev.ragjourney.backends.cache.QuestionPairs;
import dev.ragjourney.backends.cache.QuestionPairs.Pair;
import dev.ragjourney.backends.cache.SemanticCache;
import dev.ragjourney.pipeline.AnswerCache.Asked;
import dev.ragjourney.pipeline.AnswerCache.Kept;
import dev.ragjourney.pipeline.AnswerCache.Lookup;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Prints how long a lookup among many answers takes, and how many look-alikes and how many
 * paraphrases share an answer at each cosine, with and without the words that decide. Takes about
 * twenty seconds:
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *     -Dexec.args="--add-modules jdk.incubator.vector -cp %classpath dev.ragjourney.bench.CacheFigures"
 * </pre>
 */
public final class CacheFigures {
  private static final int LOOKUPS = 500;

  private CacheFigures() {}

  public static void main(String[] args) throws IOException {
    for (int dimension : new int[] {384, 1536}) {
      for (int entries : new int[] {1_000, 10_000}) {
        lookups(entries, dimension);
      }
    }
    try (QuestionPairs pairs = new QuestionPairs()) {
      System.out.printf("%n%8s %30s %30s%n", "cosine", "look-alikes: alone, with words", "same");
      for (double cosine : new double[] {0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.96, 0.98}) {
        System.out.printf(
            Locale.ROOT,
            "%8.2f %30s %30s%n",
            cosine,
            shares(pairs, QuestionPairs.nearMisses(), cosine),
            shares(pairs, QuestionPairs.paraphrases(), cosine));
      }
    }
  }

  private static void lookups(int entries, int dimension) {
    Random random = new Random(1);
    SemanticCache cache = new SemanticCache(entries, Long.MAX_VALUE, Duration.ofHours(1), null);
    for (int i = 0; i < entries; i++) {
      cache.keep(asked("question " + i, dimension, random), new Kept("answer", List.of()), 0);
    }
    long[] nanos = new long[LOOKUPS];
    for (int i = -LOOKUPS; i < LOOKUPS; i++) {
      Asked asked = asked("another " + i, dimension, random);
      long started = System.nanoTime();
      cache.find(asked, 0.92, 0);
      nanos[Math.abs(i) % LOOKUPS] = System.nanoTime() - started;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%,d answers, %d dimensions: p50 %.2f ms, p99 %.2f ms%n",
        entries,
        dimension,
        nanos[LOOKUPS / 2] / 1e6,
        nanos[LOOKUPS * 99 / 100] / 1e6);
  }

  private static Asked asked(String text, int dimension, Random random) {
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return new Asked("", text, "any", vector);
  }

  private static String shares(QuestionPairs pairs, List<Pair> all, double cosine) {
    List<Pair> heldOut = all.stream().filter(Pair::heldOut).toList();
    long near = heldOut.stream().filter(pair -> pairs.cosine(pair) >= cosine).count();
    long hits =
        heldOut.stream()
            .filter(pair -> pairs.asked(pair.one(), pair.other(), cosine) == Lookup.HIT)
            .count();
    return String.format(
        Locale.ROOT,
        "%.1f %%, %.1f %%",
        100.0 * near / heldOut.size(),
        100.0 * hits / heldOut.size());
  }
}
