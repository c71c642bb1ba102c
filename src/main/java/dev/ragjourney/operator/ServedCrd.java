package dev.ragjourney.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.ResourceFields;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the cluster's CRD is as new as this operator. The API server publishes its schema to
 * everybody, so that no right to read CRDs is needed.
 */
final class ServedCrd implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServedCrd.class);
  private static final String SCHEMA = "/openapi/v3/apis/" + RagJourney.API_VERSION;
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final KubernetesClient client;
  private final Duration every;
  private final Runnable changed;
  private final OperatorMetrics metrics;
  private volatile SortedSet<String> missing = Collections.emptySortedSet();
  private final Repeating thread = new Repeating("served-crd");

  /**
   * @param changed told when a field came or went
   */
  ServedCrd(KubernetesClient client, Duration every, Runnable changed, OperatorMetrics metrics) {
    this.client = client;
    this.every = every;
    this.changed = changed;
    this.metrics = metrics;
  }

  /** Looks once, so that the first reconcile knows, and goes on looking. */
  void start() {
    look();
    thread.start(every, this::look);
  }

  /** Fields of this operator that the CRD lacks. */
  Set<String> missing() {
    return missing;
  }

  private void look() {
    try {
      String document = client.raw(SCHEMA);
      if (document == null) {
        return;
      }
      SortedSet<String> before = missing;
      SortedSet<String> now = ResourceFields.missing(JSON.readTree(document));
      metrics.crdMissingFields(now.size());
      if (now.equals(before)) {
        return;
      }
      missing = Collections.unmodifiableSortedSet(new TreeSet<>(now));
      if (now.isEmpty()) {
        LOG.info("the CRD has all fields of this operator now");
      } else {
        LOG.warn(
            "the CRD is older than this operator: it lacks {}. The operator goes on without them;"
                + " upgrade the CRD (crds/ or the chart)",
            String.join(", ", now));
      }
      changed.run();
    } catch (KubernetesClientException | JsonProcessingException e) {
      LOG.debug("the served CRD cannot be looked at: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("looking at the served CRD failed", e);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
