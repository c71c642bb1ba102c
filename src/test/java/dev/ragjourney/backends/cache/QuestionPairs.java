package dev.ragjourney.backends.cache;

import dev.ragjourney.backends.embedded.minilm.TextEncoder;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.AnswerCache.Asked;
import dev.ragjourney.pipeline.AnswerCache.Kept;
import dev.ragjourney.pipeline.AnswerCache.Lookup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Pairs of questions as help desks get them: those that look alike and must not share an answer,
 * and those that may. The words that decide were chosen on one half of each; the other half, picked
 * by the checksum of the pair, was only measured.
 */
public final class QuestionPairs implements AutoCloseable {
  private final TextEncoder encoder;
  private final Map<String, float[]> vectors = new HashMap<>();

  /**
   * @param kind what the two differ in
   * @param heldOut not seen when the words that decide were chosen
   */
  public record Pair(String kind, String one, String other, boolean heldOut) {}

  public QuestionPairs() throws IOException {
    encoder = TextEncoder.load(2);
  }

  public static List<Pair> nearMisses() {
    return read("/cache/near-misses.tsv");
  }

  public static List<Pair> paraphrases() {
    return read("/cache/paraphrases.tsv");
  }

  private static List<Pair> read(String resource) {
    try (InputStream file = QuestionPairs.class.getResourceAsStream(resource)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(QuestionPairs::pair)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pair pair(String line) {
    CRC32 sum = new CRC32();
    sum.update(line.getBytes(StandardCharsets.UTF_8));
    String[] parts = line.split("\t");
    return new Pair(parts[0], parts[1], parts[2], sum.getValue() % 2 == 1);
  }

  /** The embedded model's vector. */
  public float[] vector(String question) {
    return vectors.computeIfAbsent(
        question,
        text -> {
          try {
            return encoder.submit(text).get().pooled();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  public double cosine(Pair pair) {
    return CoarseVector.of(vector(pair.one())).cosine(CoarseVector.of(vector(pair.other())));
  }

  /** How the second question fares in a cache that holds an answer to the first. */
  public Lookup asked(String kept, String asked, double minSimilarity) {
    AnswerCache cache = new SemanticCache(10, 1_000_000, Duration.ofHours(1), null);
    cache.keep(asked(kept), new Kept("an answer", List.of()), 0);
    return cache.find(asked(asked), minSimilarity, 0).lookup();
  }

  private Asked asked(String question) {
    return new Asked("", question, "minilm", vector(question));
  }

  @Override
  public void close() {
    encoder.close();
  }
}
