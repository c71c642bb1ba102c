package dev.ragjourney.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;

/**
 * Versions of one resource are numbers that grow, as clients compare them since Kubernetes 1.35.
 */
final class ResourceVersions {
  private ResourceVersions() {}

  /** Whether what a watch knows is what was written, or came after it. */
  static boolean caughtUp(HasMetadata watched, HasMetadata written) {
    return !Objects.equals(written.getMetadata().getUid(), watched.getMetadata().getUid())
        || version(watched) >= version(written);
  }

  private static long version(HasMetadata object) {
    try {
      return Long.parseLong(object.getMetadata().getResourceVersion());
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
