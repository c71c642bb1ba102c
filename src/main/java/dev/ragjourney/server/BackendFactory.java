package dev.ragjourney.server;

import java.util.List;

/** Opens backends by their kind. */
@FunctionalInterface
public interface BackendFactory {
  /**
   * Returns soon: what takes long goes on behind {@link Backend#missing}.
   *
   * @param questions to be asked before the first journey, where asking costs nothing
   * @throws IllegalArgumentException if the backend's settings cannot work
   */
  Backend open(BackendUse use, List<String> questions);
}
