package dev.ragjourney.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * A reconcile that the API server failed and that is tried again. Without frames: while the API
 * server is away every journey's attempt is logged, and where in the client it failed tells nobody
 * anything.
 */
final class ApiFailureException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ApiFailureException(KubernetesClientException failure) {
    super(sentence(failure), null, false, false);
  }

  private static String sentence(KubernetesClientException failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String said = Failures.message(failure);
    String why = String.valueOf(root.getMessage());
    return root.equals(failure) || said.contains(why)
        ? said
        : said + ": " + root.getClass().getSimpleName() + ": " + why;
  }
}
