package dev.ragjourney.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Backends shared by the plans that name them unchanged: connections and the embedded index stay
 * warm from one plan to the next, and a backend closes when its last plan has let go of it.
 */
final class BackendPool {
  private static final class Shared {
    final Backend backend;
    int holders;
    boolean warm;

    Shared(Backend backend) {
      this.backend = backend;
    }
  }

  private final BackendFactory factory;
  private final Map<BackendUse, Shared> open = new HashMap<>();

  BackendPool(BackendFactory factory) {
    this.factory = factory;
  }

  BackendFactory factory() {
    return factory;
  }

  /** To be let go of by {@link #release}. */
  synchronized Backend acquire(BackendUse use, List<String> questions) {
    Shared shared = open.get(use);
    if (shared == null) {
      shared = new Shared(factory.open(use, questions));
      open.put(use, shared);
    }
    shared.holders++;
    return shared.backend;
  }

  void release(BackendUse use) {
    Backend unused = removedIfUnused(use);
    if (unused != null) {
      unused.close();
    }
  }

  private synchronized @Nullable Backend removedIfUnused(BackendUse use) {
    Shared shared = open.get(use);
    if (shared == null) {
      throw new IllegalStateException(
          "backend " + use.plan().name() + " is released once too often");
    }
    shared.holders--;
    if (shared.holders > 0) {
      return null;
    }
    open.remove(use);
    return shared.backend;
  }

  /** Whether this backend still needs a warm-up; true once. */
  synchronized boolean takeWarmUp(BackendUse use) {
    Shared shared = open.get(use);
    if (shared == null || shared.warm) {
      return false;
    }
    shared.warm = true;
    return true;
  }

  synchronized int size() {
    return open.size();
  }
}
