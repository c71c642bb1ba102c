package dev.ragjourney.backends.cache;

import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Passage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers in this pod's memory. Every vector is compared: at the sizes that fit a pod that takes
 * less time than starting a stage, finds the nearest for certain, and needs no index to be kept.
 *
 * <p>Readers take no lock. Where room is needed the answers kept longest go first; an answer that
 * is given anew counts as new, so that what is asked often stays.
 */
public final class SemanticCache implements AnswerCache {
  private static final Comparator<Near> NEAREST_FIRST =
      Comparator.comparingDouble(Near::similarity).reversed();

  private final int maxEntries;
  private final long maxBytes;
  private final long ttlNanos;
  private final @Nullable Embedder embedder;
  private final ConcurrentMap<Key, Entry> entries = new ConcurrentHashMap<>();

  /** In the order they were kept; like the figures below, guarded by this object. */
  private final Map<Key, Entry> oldestFirst = new LinkedHashMap<>();

  private long bytes;
  private int evicted;

  /**
   * @param maxEntries answers kept at most
   * @param maxBytes heap for them at most, about
   * @param ttl how long each is kept
   * @param embedder for journeys without an Embed stage; null where the journey has one
   */
  public SemanticCache(int maxEntries, long maxBytes, Duration ttl, @Nullable Embedder embedder) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.ttlNanos = ttl.toNanos();
    this.embedder = embedder;
  }

  private record Key(String tenant, String text) {}

  private record Entry(
      Key key,
      String embedder,
      CoarseVector vector,
      QuestionWords words,
      Kept answer,
      long keptNanos,
      int bytes) {}

  private record Near(Entry entry, double similarity) {}

  @Override
  public @Nullable Embedder embedder() {
    return embedder;
  }

  @Override
  public Found find(Asked asked, double minSimilarity, long nowNanos) {
    Entry same = entries.get(new Key(asked.tenant(), asked.text()));
    if (same != null && fresh(same, nowNanos)) {
      return new Found(Lookup.HIT, same.answer());
    }
    float[] vector = asked.vector();
    List<Near> nearest =
        vector == null
            ? List.of()
            : nearest(asked, CoarseVector.of(vector), minSimilarity, nowNanos);
    if (nearest.isEmpty()) {
      return new Found(Lookup.MISS, null);
    }
    QuestionWords words = QuestionWords.of(asked.text());
    for (Near near : nearest) {
      if (near.entry().words().sameAs(words)) {
        return new Found(Lookup.HIT, near.entry().answer());
      }
    }
    return new Found(Lookup.NEAR, null);
  }

  private List<Near> nearest(
      Asked asked, CoarseVector vector, double minSimilarity, long nowNanos) {
    List<Near> near = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.key().tenant().equals(asked.tenant())
          && entry.embedder().equals(asked.embedder())
          && fresh(entry, nowNanos)) {
        double similarity = entry.vector().cosine(vector);
        if (similarity >= minSimilarity) {
          near.add(new Near(entry, similarity));
        }
      }
    }
    near.sort(NEAREST_FIRST);
    return near;
  }

  private boolean fresh(Entry entry, long nowNanos) {
    return nowNanos - entry.keptNanos() < ttlNanos;
  }

  @Override
  public Stock keep(Asked asked, Kept answer, long nowNanos) {
    float[] vector = asked.vector();
    if (vector == null) {
      throw new IllegalArgumentException("an answer is kept under its question's vector");
    }
    Key key = new Key(asked.tenant(), asked.text());
    CoarseVector coarse = CoarseVector.of(vector);
    QuestionWords words = QuestionWords.of(asked.text());
    Entry entry =
        new Entry(
            key, asked.embedder(), coarse, words, answer, nowNanos, bytes(key, coarse, answer));
    return put(entry, nowNanos);
  }

  private synchronized Stock put(Entry entry, long nowNanos) {
    Entry before = oldestFirst.remove(entry.key());
    bytes += entry.bytes() - (before == null ? 0 : before.bytes());
    oldestFirst.put(entry.key(), entry);
    entries.put(entry.key(), entry);
    Iterator<Entry> oldest = oldestFirst.values().iterator();
    while (oldest.hasNext()) {
      Entry next = oldest.next();
      if (!mustGo(next, nowNanos)) {
        break;
      }
      oldest.remove();
      entries.remove(next.key());
      bytes -= next.bytes();
      evicted++;
    }
    Stock stock = new Stock(oldestFirst.size(), evicted);
    evicted = 0;
    return stock;
  }

  private boolean mustGo(Entry oldest, long nowNanos) {
    return oldestFirst.size() > maxEntries || bytes > maxBytes || !fresh(oldest, nowNanos);
  }

  /** About the heap that an entry takes: two bytes a character, and its objects. */
  private static int bytes(Key key, CoarseVector vector, Kept answer) {
    int characters = 2 * key.text().length() + answer.content().length();
    for (Passage source : answer.sources()) {
      characters += source.id().length() + source.title().length() + 60;
    }
    return 2 * characters + vector.bytes().length + 600;
  }
}
