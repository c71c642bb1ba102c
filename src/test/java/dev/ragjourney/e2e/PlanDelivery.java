package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.plan.Plan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Measures how long each new revision of a journey's plan takes from its ConfigMap to each pod. */
final class PlanDelivery implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long POLL_MILLIS = 100;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ScheduledExecutorService polls = Executors.newSingleThreadScheduledExecutor();
  private final Watch watch;
  private final NavigableMap<Long, Long> written = new TreeMap<>();
  private final Map<URI, NavigableMap<Long, Long>> loaded = new HashMap<>();

  private PlanDelivery(Journey journey) {
    List<URI> pods =
        journey.pods().stream().map(pod -> Journey.address(pod, "admin").resolve("/plan")).toList();
    pods.forEach(pod -> loaded.put(pod, new TreeMap<>()));
    pods.forEach(this::poll);
    watch =
        journey
            .cluster()
            .client()
            .configMaps()
            .inNamespace(journey.namespace())
            .withLabel(Journey.LABEL, journey.name())
            .watch(new Writes());
    polls.scheduleWithFixedDelay(
        () -> pods.forEach(this::poll), 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  static PlanDelivery of(Journey journey) {
    return new PlanDelivery(journey);
  }

  private void poll(URI pod) {
    try {
      HttpRequest request = HttpRequest.newBuilder(pod).timeout(Duration.ofSeconds(2)).build();
      String plan = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      long revision = JSON.readTree(plan).path("revision").asLong();
      synchronized (this) {
        loaded.get(pod).putIfAbsent(revision, System.nanoTime());
      }
    } catch (IOException e) {
      // The next poll asks again; a pod that never answers shows as a revision that never came.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Milliseconds from the write to each pod, by revision, for the revisions written since the
   * start; {@link Long#MAX_VALUE} for one that a pod has not loaded.
   */
  synchronized Map<Long, Long> slowestMillis() {
    Map<Long, Long> slowest = new TreeMap<>();
    written.forEach(
        (revision, at) -> {
          for (NavigableMap<Long, Long> pod : loaded.values()) {
            // A pod may go straight to a later revision.
            long millis =
                pod.tailMap(revision, true).values().stream()
                    .mapToLong(time -> Math.max(0, (time - at) / 1_000_000))
                    .min()
                    .orElse(Long.MAX_VALUE);
            slowest.merge(revision, millis, Math::max);
          }
        });
    return slowest;
  }

  private final class Writes implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap map) {
      String plan = map.getData() == null ? null : map.getData().get(Plan.FILE);
      if (plan == null || action == Action.DELETED) {
        return;
      }
      try {
        long revision = JSON.readTree(plan).path("revision").asLong();
        synchronized (PlanDelivery.this) {
          boolean old = loaded.values().stream().anyMatch(pod -> pod.containsKey(revision));
          if (!old) {
            written.putIfAbsent(revision, System.nanoTime());
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      throw new IllegalStateException(cause);
    }
  }

  @Override
  public void close() {
    watch.close();
    polls.shutdownNow();
    http.shutdownNow();
    http.close();
  }
}
