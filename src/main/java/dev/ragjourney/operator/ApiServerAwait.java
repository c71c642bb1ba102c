package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.RawJourney;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for an API server that is away. A process that ended instead would be started again with a
 * growing back-off, and come minutes after the API server.
 */
final class ApiServerAwait {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServerAwait.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Also while the cache of a kind is filled. */
  private static final int TOO_MANY_REQUESTS = 429;

  private static final int SERVER_ERRORS = 500;

  private ApiServerAwait() {}

  /**
   * Returns when it is ready and has journeys to list, when it says that this will never be, or
   * when waiting is over.
   */
  static void ready(KubernetesClient client, Set<String> namespaces, BooleanSupplier over) {
    for (int attempt = 0; !over.getAsBoolean(); attempt++) {
      try {
        ask(client, namespaces);
        return;
      } catch (KubernetesClientException e) {
        if (!away(e)) {
          return;
        }
        if (attempt == 0) {
          LOG.warn("the API server is not ready; this operator waits for it: {}", e.toString());
        }
      }
      try {
        Thread.sleep(EVERY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void ask(KubernetesClient client, Set<String> namespaces) {
    String _ = client.raw("/readyz");
    var journeys = client.resources(RawJourney.class);
    ListOptions one = new ListOptionsBuilder().withLimit(1L).withResourceVersion("0").build();
    var _ =
        namespaces.isEmpty()
            ? journeys.inAnyNamespace().list(one)
            : journeys.inNamespace(namespaces.iterator().next()).list(one);
  }

  /** No answer at all, or one that says later; else it means what it says. */
  private static boolean away(KubernetesClientException e) {
    return e.getCode() <= 0 || e.getCode() == TOO_MANY_REQUESTS || e.getCode() >= SERVER_ERRORS;
  }
}
