package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The questions encoded last, the least recently used one forgotten first. At most 64 of at most 64
 * pieces of 1.5 KB: 6 MB.
 */
final class RecentQuestions {
  private static final int MOST = 64;
  private static final int MOST_PIECES = 64;
  private static final int LONGEST_TEXT = 2048;

  private final Map<String, Encoded> byText = new LinkedHashMap<>(MOST, 0.75f, true);

  synchronized @Nullable Encoded get(String text) {
    return byText.get(text);
  }

  synchronized void put(String text, Encoded encoded) {
    if (encoded.size() > MOST_PIECES || text.length() > LONGEST_TEXT) {
      return;
    }
    byText.put(text, encoded);
    if (byText.size() > MOST) {
      byText.remove(byText.keySet().iterator().next());
    }
  }

  synchronized int size() {
    return byText.size();
  }
}
