package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** What an answer of the API server means. */
final class Failures {
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;

  private Failures() {}

  /** Somebody else wrote in between: read again. */
  static boolean conflict(KubernetesClientException e) {
    return e.getCode() == CONFLICT;
  }

  static boolean notFound(KubernetesClientException e) {
    return e.getCode() == NOT_FOUND;
  }

  /** Nothing can be created in a namespace that goes away, and nothing needs to be. */
  static boolean namespaceTerminating(KubernetesClientException e) {
    return e.getStatus() != null
        && e.getStatus().getDetails() != null
        && e.getStatus().getDetails().getCauses() != null
        && e.getStatus().getDetails().getCauses().stream()
            .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
  }

  /** The server's own words, without the client's preface. */
  static String message(KubernetesClientException e) {
    String own = e.getStatus() == null ? null : e.getStatus().getMessage();
    return own == null ? String.valueOf(e.getMessage()) : own;
  }
}
