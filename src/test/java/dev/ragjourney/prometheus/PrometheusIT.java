package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.LifeTable;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import dev.ragjourney.support.prometheus.RealPrometheus;
import dev.ragjourney.support.prometheus.RealPrometheus.Job;
import dev.ragjourney.support.prometheus.ScrapedPod;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries against a real server. Every test has a journey of its own. */
class PrometheusIT {
  private static final List<Double> LAYOUT = LatencyBoundaries.of(Duration.ofSeconds(3));
  private static final Duration WINDOW = Duration.ofSeconds(20);

  /**
   * Counts are extrapolated to the slice's end, from samples 100 ms apart over a second or more.
   */
  private static final double EXTRAPOLATION = 0.1;

  private static RealPrometheus prometheus;
  private static PrometheusLatencySource source;

  private final List<ScrapedPod> pods = new ArrayList<>();

  @BeforeAll
  static void start(@TempDir Path directory) {
    Optional<Path> binary = RealPrometheus.binary();
    Assumptions.assumeTrue(
        binary.isPresent(),
        "LEFT OUT: there is no prometheus on the PATH, so the queries are not tried on a real one");
    prometheus = RealPrometheus.start(binary.get(), directory, "100ms");
    source = new PrometheusLatencySource(PrometheusSettings.of(prometheus.url()));
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      source.close();
      prometheus.close();
    }
  }

  @AfterEach
  void closePods() {
    pods.forEach(ScrapedPod::close);
  }

  @Test
  void known_latencies_come_back_with_their_counts_and_quantiles() {
    ScrapedPod pod = scraped("known", Job.HONORING, Map.of());
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      pod.call("success", "", 0.2 * Math.exp(0.4 * random.nextGaussian()));
    }
    for (int i = 0; i < 60; i++) {
      pod.call("timeout", "cap", 0.601);
      pod.call("timeout", "deadline", 0.3);
      pod.call("cancelled", "lost", 0.3);
      pod.call("cancelled", "caller", 0.3);
      pod.call("error", "", 0.001);
      pod.call("v1", "success", "", 0.01);
      pod.skip("no_time");
      pod.skip("timeout");
      pod.answer("full", "full", "own", 0.9);
      pod.answer("full", "full", "caller", 0.5);
      pod.answer("static", "sorry", "own", 2.9);
      pod.remainingAtGenerate(2.2);
    }

    StageWindow stage = awaitCompleted("known", 2000);
    WindowSlice slice = newest("known").orElseThrow();

    assertThat(stage.capCut().total()).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(stage.deadlineCut().total()).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(stage.lost().total()).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(stage.errors()).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(stage.skipped().keySet()).containsExactly("no_time");
    assertThat(stage.started()).isCloseTo(2360, within(2360 * EXTRAPOLATION));
    assertThat(stage.caps())
        .isEqualTo(new StageWindow.CapSpan(Duration.ofMillis(600), Duration.ofMillis(600)));
    LifeTable law = LifeTable.of(stage.completed().on(LAYOUT).orElseThrow());
    assertThat(law.quantile(0.5).orElseThrow()).isCloseTo(0.2, within(0.01));
    assertThat(law.quantile(0.95).orElseThrow())
        .isCloseTo(0.2 * Math.exp(0.4 * 1.645), within(0.02));
    assertThat(slice.answers().keySet()).containsExactlyInAnyOrder("full", "static");
    assertThat(slice.answers().get("full")).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(slice.levels().get("sorry")).isCloseTo(60, within(60 * EXTRAPOLATION));
    assertThat(slice.duration().on(LAYOUT)).isPresent();
    assertThat(slice.remainingAtGenerate().boundaries()).hasSize(20);
    assertThat(slice.remainingAtGenerate().linearQuantile(0.5).orElseThrow())
        .isCloseTo(2.2, within(0.08));
    assertThat(slice.defects()).isEmpty();
  }

  @Test
  void two_pods_add_up() {
    calls(scraped("two", Job.HONORING, Map.of("pod", "a")), 500);
    calls(scraped("two", Job.HONORING, Map.of("pod", "b")), 300);

    awaitCompleted("two", 800);
  }

  @Test
  void two_processes_without_a_pod_label_add_up() {
    calls(scraped("unnamed", Job.HONORING, Map.of()), 500);
    calls(scraped("unnamed", Job.HONORING, Map.of()), 300);

    awaitCompleted("unnamed", 800);
  }

  @Test
  void a_pod_scraped_by_two_jobs_counts_once_whether_they_honor_its_labels_or_not() {
    ScrapedPod pod = scraped("twice", Job.HONORING, Map.of("pod", "a"));
    prometheus.scrape(
        Job.OVERWRITING,
        "twice-again",
        pod.port(),
        Map.of("namespace", "monitoring", "pod", "a", "container", "sidecar"));
    int before = pod.scrapes();
    await().until(() -> pod.scrapes() >= before + 6);
    calls(pod, 500);

    awaitCompleted("twice", 500);
    JourneyId targets = new JourneyId("monitoring", "twice");
    assertThat(measured(Set.of(targets)).keySet()).isEmpty();
  }

  @Test
  void a_pod_scraped_with_and_without_its_pod_label_is_noticed_since_it_counts_twice() {
    ScrapedPod pod = scraped("doubled", Job.HONORING, Map.of("pod", "a"));
    assertThat(newest("doubled").orElseThrow().defects()).isEmpty();
    prometheus.scrape(Job.HONORING, "doubled-again", pod.port(), Map.of());

    await()
        .untilAsserted(
            () ->
                assertThat(newest("doubled").orElseThrow().defects())
                    .extracting(WindowSlice.Defect::reason)
                    .contains(Reasons.SEVERAL_SERIES));
  }

  @Test
  void the_newest_samples_own_time_is_told_and_not_the_querys() {
    scraped("aging", Job.HONORING, Map.of("pod", "a"));
    Instant later = Instant.now().plusSeconds(3);

    JourneyWindow window =
        ((LatencyReading.Measured) source.read(later, WINDOW, WINDOW, ids("aging")))
            .journeys()
            .get(new JourneyId("shop", "aging"));

    assertThat(window.scraped()).isBetween(later.minusSeconds(10), later.minusSeconds(2));
  }

  @Test
  void a_scrape_that_overwrites_the_namespace_still_finds_the_journeys_own() {
    calls(scraped("renamed", Job.OVERWRITING, Map.of("namespace", "monitoring", "pod", "a")), 400);

    awaitCompleted("renamed", 400);
  }

  @Test
  void counts_go_on_when_a_pod_begins_again_at_zero() {
    ScrapedPod pod = scraped("again", Job.HONORING, Map.of("pod", "a"));
    calls(pod, 500);
    awaitCompleted("again", 500);

    pod.restart();
    pod.cap(0.6);
    int before = pod.scrapes();
    await().until(() -> pod.scrapes() >= before + 2);
    calls(pod, 200);

    StageWindow stage = awaitCompleted("again", 700);
    assertThat(stage.completed().counts()).allMatch(count -> count >= 0);
  }

  @Test
  void both_caps_of_a_change_are_seen_in_its_slice() {
    ScrapedPod pod = scraped("moved", Job.HONORING, Map.of("pod", "a"));
    pod.cap(0.5);

    await()
        .untilAsserted(
            () ->
                assertThat(newest("moved").map(slice -> slice.stages().get("search").caps()))
                    .contains(
                        new StageWindow.CapSpan(Duration.ofMillis(500), Duration.ofMillis(600))));
  }

  @Test
  void a_value_that_is_no_number_is_a_defect_and_not_a_zero() {
    ScrapedPod pod = scraped("nan", Job.HONORING, Map.of("pod", "a"));
    pod.startedCountBreaks();

    await()
        .untilAsserted(
            () ->
                assertThat(newest("nan").orElseThrow().defects())
                    .extracting(WindowSlice.Defect::reason)
                    .contains(Reasons.NOT_FINITE));
  }

  @Test
  void a_journey_without_traffic_has_slices_of_zero_and_an_unknown_one_has_none() {
    scraped("quiet", Job.HONORING, Map.of("pod", "a"));

    await().until(() -> newest("quiet").isPresent());
    StageWindow stage = newest("quiet").orElseThrow().stages().get("search");
    assertThat(stage.started()).isZero();
    assertThat(stage.completed().total()).isZero();
    assertThat(measured(ids("quiet", "nobody")).keySet()).isEqualTo(ids("quiet"));
  }

  @Test
  void a_window_comes_in_slices_and_those_before_the_pod_are_absent() {
    calls(scraped("sliced", Job.HONORING, Map.of("pod", "a")), 300);

    await()
        .untilAsserted(
            () -> {
              List<WindowSlice> slices =
                  slices(Instant.now(), Duration.ofSeconds(60), Duration.ofSeconds(2), "sliced");
              assertThat(slices).hasSizeBetween(2, 15);
              assertThat(
                      slices.stream()
                          .mapToDouble(slice -> slice.stages().get("search").completed().total())
                          .sum())
                  .isCloseTo(300, within(300 * 0.3));
            });
  }

  @Test
  void an_extra_matcher_restricts_what_is_read() {
    scraped("matched", Job.HONORING, Map.of("pod", "a", "cluster", "eu"));
    scraped("unmatched", Job.HONORING, Map.of("pod", "b", "cluster", "us"));
    await().until(() -> newest("matched").isPresent() && newest("unmatched").isPresent());

    try (PrometheusLatencySource europe =
        new PrometheusLatencySource(
            PrometheusSettings.of(prometheus.url()).withExtraMatchers(List.of("cluster=\"eu\"")))) {
      LatencyReading reading =
          europe.read(Instant.now(), WINDOW, WINDOW, ids("matched", "unmatched"));
      assertThat(((LatencyReading.Measured) reading).journeys().keySet())
          .containsExactly(new JourneyId("shop", "matched"));
    }
  }

  @Test
  void what_the_server_refuses_is_told() {
    try (PrometheusLatencySource refused =
        new PrometheusLatencySource(
            PrometheusSettings.of(prometheus.url()).withExtraMatchers(List.of("a=~\"(\"")))) {
      assertThat(refused.read(Instant.now(), WINDOW, WINDOW, ids("any")))
          .isInstanceOfSatisfying(
              LatencyReading.Unavailable.class,
              failed -> {
                assertThat(failed.reason()).isEqualTo(Reasons.QUERY_FAILED);
                assertThat(failed.message()).contains("bad_data").contains("missing closing )");
              });
    }
  }

  @Test
  void a_stopped_server_is_query_failed_and_its_data_are_back_when_it_is() {
    calls(scraped("outage", Job.HONORING, Map.of("pod", "a")), 300);
    awaitCompleted("outage", 300);

    prometheus.stop();
    assertThat(source.read(Instant.now(), WINDOW, WINDOW, ids("outage")))
        .isEqualTo(
            new LatencyReading.Unavailable(
                Reasons.QUERY_FAILED,
                "no connection to " + prometheus.url() + "/api/v1/query_range"));

    prometheus.start();
    await().until(() -> newest("outage").isPresent());
  }

  /** A pod that has been scraped at zero, so that nothing of what it counts is lost. */
  private ScrapedPod scraped(String journey, Job job, Map<String, String> labels) {
    ScrapedPod pod = new ScrapedPod("shop", journey, "search", LAYOUT, 3);
    pods.add(pod);
    pod.cap(0.6);
    prometheus.scrape(job, journey + pod.port(), pod.port(), labels);
    await().until(() -> pod.scrapes() >= 12);
    return pod;
  }

  private static void calls(ScrapedPod pod, int count) {
    for (int i = 0; i < count; i++) {
      pod.call("success", "", 0.2);
    }
  }

  private static StageWindow awaitCompleted(String journey, double count) {
    await()
        .untilAsserted(
            () ->
                assertThat(
                        newest(journey)
                            .map(slice -> slice.stages().get("search").completed().total())
                            .orElse(0.0))
                    .isCloseTo(count, within(count * EXTRAPOLATION)));
    return newest(journey).orElseThrow().stages().get("search");
  }

  private static Optional<WindowSlice> newest(String journey) {
    return slices(Instant.now(), WINDOW, WINDOW, journey).stream().findFirst();
  }

  private static List<WindowSlice> slices(
      Instant now, Duration window, Duration interval, String journey) {
    LatencyReading reading = source.read(now, window, interval, ids(journey));
    assertThat(reading).isInstanceOf(LatencyReading.Measured.class);
    JourneyWindow found =
        ((LatencyReading.Measured) reading).journeys().get(new JourneyId("shop", journey));
    return found == null ? List.of() : found.slices();
  }

  private static Map<JourneyId, JourneyWindow> measured(Set<JourneyId> ids) {
    return ((LatencyReading.Measured) source.read(Instant.now(), WINDOW, WINDOW, ids)).journeys();
  }

  private static Set<JourneyId> ids(String... names) {
    return Stream.of(names)
        .map(name -> new JourneyId("shop", name))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(60));
  }
}
