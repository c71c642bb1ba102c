package dev.ragjourney.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Which plan each pod runs, asked all the time: every change with when it was seen. */
final class RunningPlans implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration POLL = Duration.ofMillis(50);

  /**
   * @param generation of the resource that the plan was made of
   */
  record Seen(long nanos, long generation, long revision) {}

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, List<Seen>> byPod = new ConcurrentHashMap<>();
  private final ScheduledExecutorService polls;

  private RunningPlans(List<Pod> pods) {
    // A thread each: one that hangs must not hide the others.
    polls = Executors.newScheduledThreadPool(pods.size());
    for (Pod pod : pods) {
      List<Seen> seen = new CopyOnWriteArrayList<>();
      byPod.put(pod.getMetadata().getName(), seen);
      URI plan = Journey.address(pod, "admin").resolve("/plan");
      var _ =
          polls.scheduleWithFixedDelay(
              () -> look(plan, seen), 0, POLL.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  static RunningPlans of(Journey journey) {
    RunningPlans plans = new RunningPlans(journey.pods());
    await("every pod tells its plan")
        .until(() -> plans.byPod.values().stream().noneMatch(List::isEmpty));
    return plans;
  }

  /** Of the resource that the plan in force in this pod was made of. */
  static long generation(Pod pod) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return plan(http, Journey.address(pod, "admin").resolve("/plan")).path("generation").asLong();
    }
  }

  private static JsonNode plan(HttpClient http, URI pod) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(pod).timeout(Duration.ofSeconds(5)).build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
  }

  private void look(URI pod, List<Seen> seen) {
    try {
      JsonNode plan = plan(http, pod);
      long revision = plan.path("revision").asLong();
      if (seen.isEmpty() || seen.getLast().revision() != revision) {
        seen.add(new Seen(System.nanoTime(), plan.path("generation").asLong(), revision));
      }
    } catch (IOException e) {
      // The next look asks again; what never comes is what the test waits for in vain.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until every pod runs a plan of this generation of the resource.
   *
   * @return when the last one did, monotonic nanoseconds
   */
  long awaitEverywhere(long generation, Duration atMost) {
    return awaitOn(byPod.keySet(), generation, atMost);
  }

  long awaitOn(Collection<String> pods, long generation, Duration atMost) {
    await("generation %d on %s".formatted(generation, pods))
        .atMost(atMost)
        .pollInterval(POLL)
        .until(
            () ->
                pods.stream().allMatch(pod -> byPod.get(pod).getLast().generation() >= generation));
    return pods.stream().mapToLong(pod -> first(byPod.get(pod), generation)).max().orElseThrow();
  }

  private static long first(List<Seen> seen, long generation) {
    return seen.stream()
        .filter(each -> each.generation() >= generation)
        .mapToLong(Seen::nanos)
        .min()
        .orElseThrow();
  }

  /** Pods that went from a revision to an older one, with what they ran. */
  List<String> wentBack() {
    List<String> back = new ArrayList<>();
    byPod.forEach(
        (pod, seen) -> {
          for (int i = 1; i < seen.size(); i++) {
            if (seen.get(i).revision() < seen.get(i - 1).revision()) {
              back.add(pod + ": " + seen);
            }
          }
        });
    return back;
  }

  @Override
  public void close() {
    polls.shutdownNow();
    http.shutdownNow();
    http.close();
  }
}
