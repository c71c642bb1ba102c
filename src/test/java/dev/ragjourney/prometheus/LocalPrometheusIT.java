package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import dev.ragjourney.support.prometheus.LocalPrometheus;
import dev.ragjourney.support.prometheus.RealPrometheus;
import dev.ragjourney.support.prometheus.ScrapedPod;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small Prometheus of the tests answers the operator's queries, and as the real one does. */
class LocalPrometheusIT {
  private static final JourneyId ID = new JourneyId("shop", "faq");
  private static final List<Double> LAYOUT = LatencyBoundaries.of(Duration.ofSeconds(3));
  private static final Duration SCRAPES = Duration.ofMillis(100);
  private static final Duration WINDOW = Duration.ofSeconds(30);

  private ScrapedPod one;
  private ScrapedPod other;
  private LocalPrometheus local;

  @BeforeEach
  void start() {
    one = new ScrapedPod("shop", "faq", "search", LAYOUT, 3);
    other = new ScrapedPod("shop", "faq", "search", LAYOUT, 3);
    one.cap(0.6);
    other.cap(0.5);
    local =
        LocalPrometheus.start(
            () -> List.of(target(one, Map.of("pod", "one")), target(other, Map.of("pod", "other"))),
            SCRAPES,
            Duration.ofMinutes(5));
    await().until(() -> one.scrapes() >= 12 && other.scrapes() >= 12);
  }

  @AfterEach
  void stop() {
    local.close();
    one.close();
    other.close();
  }

  @Test
  void the_operators_reading_is_whole() {
    for (int i = 0; i < 400; i++) {
      one.call("success", "", 0.2);
      other.call("timeout", "cap", 0.5);
      one.answer("full", "full", "own", 0.9);
      one.remainingAtGenerate(2.2);
    }

    await()
        .untilAsserted(
            () -> {
              WindowSlice slice = newest(local.url()).orElseThrow();
              StageWindow stage = slice.stages().get("search");
              assertThat(stage.completed().total()).isCloseTo(400, within(40.0));
              assertThat(stage.capCut().total()).isCloseTo(400, within(40.0));
              assertThat(stage.started()).isCloseTo(800, within(80.0));
              assertThat(stage.caps())
                  .isEqualTo(
                      new StageWindow.CapSpan(Duration.ofMillis(500), Duration.ofMillis(600)));
              assertThat(slice.answers().get("full")).isCloseTo(400, within(40.0));
              assertThat(slice.duration().on(LAYOUT)).isPresent();
              assertThat(slice.remainingAtGenerate().linearQuantile(0.5).orElseThrow())
                  .isCloseTo(2.2, within(0.08));
              assertThat(slice.defects()).isEmpty();
            });
  }

  @Test
  void a_query_it_does_not_know_is_refused() {
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(
            PrometheusSettings.of(local.url()).withExtraMatchers(List.of("a=~\"(\"")))) {
      assertThat(source.read(Instant.now(), WINDOW, WINDOW, Set.of(ID)))
          .isInstanceOfSatisfying(
              LatencyReading.Unavailable.class,
              failed -> assertThat(failed.message()).contains("bad_data"));
    }
  }

  @Test
  void it_answers_like_the_real_one(@TempDir Path directory) {
    Optional<Path> binary = RealPrometheus.binary();
    Assumptions.assumeTrue(
        binary.isPresent(),
        "LEFT OUT: there is no prometheus on the PATH to compare the small one with");
    try (RealPrometheus real = RealPrometheus.start(binary.get(), directory, "100ms")) {
      int before = one.scrapes();
      real.scrape(RealPrometheus.Job.HONORING, "one", one.port(), Map.of("pod", "one"));
      real.scrape(RealPrometheus.Job.HONORING, "other", other.port(), Map.of("pod", "other"));
      await().until(() -> newest(real.url()).isPresent() && one.scrapes() > before + 40);
      Random random = new Random(5);
      for (int i = 0; i < 3000; i++) {
        one.call("success", "", 0.2 * Math.exp(0.5 * random.nextGaussian()));
        other.call("success", "", 0.3 * Math.exp(0.5 * random.nextGaussian()));
        if (i % 10 == 0) {
          other.call("timeout", "cap", 0.5);
          one.call("error", "", 0.01);
          one.skip("no_time");
          one.answer("full", "full", "own", random.nextDouble());
        }
      }
      one.restart();
      one.cap(0.6);
      int restarted = one.scrapes();
      await().until(() -> one.scrapes() > restarted + 4);
      for (int i = 0; i < 500; i++) {
        one.call("success", "", 0.1);
      }
      int last = one.scrapes();
      await().until(() -> one.scrapes() > last + 4);

      await()
          .untilAsserted(
              () -> {
                Instant now = Instant.now();
                WindowSlice expected = newest(real.url(), now).orElseThrow();
                WindowSlice actual = newest(local.url(), now).orElseThrow();
                alike(actual.stages().get("search"), expected.stages().get("search"));
                alike(actual.duration(), expected.duration());
                assertThat(actual.answers().keySet()).isEqualTo(expected.answers().keySet());
                assertThat(actual.defects()).isEqualTo(expected.defects());
              });
    }
  }

  /** Both scrape at moments of their own, so that extrapolation to the slice's ends differs. */
  private static void alike(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(0.05 * expected + 0.01));
  }

  private static void alike(LatencyHistogram actual, LatencyHistogram expected) {
    assertThat(actual.boundaries()).isEqualTo(expected.boundaries());
    for (int i = 0; i < expected.counts().size(); i++) {
      alike(actual.counts().get(i), expected.counts().get(i));
    }
  }

  private static void alike(StageWindow actual, StageWindow expected) {
    alike(actual.completed(), expected.completed());
    alike(actual.capCut(), expected.capCut());
    alike(actual.deadlineCut(), expected.deadlineCut());
    alike(actual.started(), expected.started());
    alike(actual.errors(), expected.errors());
    assertThat(actual.skipped().keySet()).isEqualTo(expected.skipped().keySet());
    assertThat(actual.caps()).isEqualTo(expected.caps());
  }

  private static LocalPrometheus.Target target(ScrapedPod pod, Map<String, String> labels) {
    return new LocalPrometheus.Target(
        URI.create("http://127.0.0.1:" + pod.port() + "/metrics"), labels);
  }

  private static Optional<WindowSlice> newest(URI prometheus) {
    return newest(prometheus, Instant.now());
  }

  private static Optional<WindowSlice> newest(URI prometheus, Instant now) {
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(PrometheusSettings.of(prometheus))) {
      LatencyReading reading = source.read(now, WINDOW, WINDOW, Set.of(ID));
      assertThat(reading).isInstanceOf(LatencyReading.Measured.class);
      return Optional.ofNullable(((LatencyReading.Measured) reading).journeys().get(ID))
          .flatMap(window -> window.slices().stream().findFirst());
    }
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(60));
  }
}
