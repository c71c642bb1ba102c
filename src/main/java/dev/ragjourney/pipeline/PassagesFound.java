package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search or a rerank found.
 *
 * @param passages best first
 * @param degradedReason why the result is less than it should be, like {@code ranker_partial}; null
 *     if it is whole
 */
public record PassagesFound(List<Passage> passages, @Nullable String degradedReason) {
  public PassagesFound {
    passages = List.copyOf(passages);
  }

  public static PassagesFound whole(List<Passage> passages) {
    return new PassagesFound(passages, null);
  }
}
