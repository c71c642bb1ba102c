package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import dev.ragjourney.support.prometheus.BackfilledPrometheus;
import dev.ragjourney.support.prometheus.LocalPrometheus;
import dev.ragjourney.support.prometheus.RealPrometheus;
import dev.ragjourney.support.prometheus.RecordedJourney;
import dev.ragjourney.support.prometheus.RecordedJourney.Call;
import dev.ragjourney.support.prometheus.RecordedJourney.Law;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds over a real server's data, against the same rounds over the calls themselves. Scrapes lie
 * on the slices' ends, so that nothing is extrapolated and counts are exact.
 */
class RecordedHistoryIT {
  private static final JourneyId ID = new JourneyId("shop", "faq");
  private static final Instant BEGIN = Instant.parse("2026-03-01T08:00:00Z");
  private static final Duration SCRAPES = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration WINDOW = Duration.ofMinutes(30);

  /** The pod's process ends and comes again here, in the middle of a slice. */
  private static final Instant RESTART = BEGIN.plus(Duration.ofMinutes(33));

  /** Nothing is scraped between these. */
  private static final Instant GAP = BEGIN.plus(Duration.ofMinutes(60));

  private static final Instant BACK = BEGIN.plus(Duration.ofMinutes(80));
  private static final Instant END = BEGIN.plus(Duration.ofMinutes(120));

  private static final ParsedJourney JOURNEY =
      switch (RawSpecReader.read("faq", Journeys.yaml(Journeys.MINIMAL))) {
        case Reading.Valid(var parsed) -> parsed;
        case Reading other -> throw new IllegalStateException(other.toString());
      };

  private static final JourneyBudget BUDGET = JOURNEY.budget();

  private static final Map<String, Law> LAWS =
      Map.of(
          "embed", new Law(0.03, 0.3),
          "search", new Law(0.25, 0.4),
          "rerank", new Law(0.22, 0.4),
          "generate", new Law(0.9, 0.35));

  private static RealPrometheus prometheus;
  private static List<Call> calls = List.of();

  @BeforeAll
  static void record(@TempDir Path directory) {
    Optional<Path> promtool = BackfilledPrometheus.promtool();
    Assumptions.assumeTrue(
        promtool.isPresent(),
        "LEFT OUT: there is no promtool on the PATH, so no real server is given recorded data");
    prometheus =
        BackfilledPrometheus.start(promtool.get(), directory, RecordedHistoryIT::recording);
  }

  private static void recording(LocalPrometheus.Recorder recorder) {
    RecordedJourney journey =
        new RecordedJourney(recorder, ID.namespace(), ID.name(), BUDGET, SCRAPES)
            .asked(BEGIN, RESTART, LAWS)
            .restart()
            .asked(RESTART.plus(SCRAPES), GAP, LAWS)
            .asked(BACK, END, LAWS);
    calls = journey.calls();
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void counts_and_decision_are_those_of_the_calls_themselves() {
    Instant now = END;
    JourneyWindow measured = measured(now);
    JourneyWindow counted = counted(now);

    assertSame(measured, counted);
    RebalanceDecision decision = decide(reading(measured), now);
    assertThat(decision.figures().measured()).isTrue();
    assertThat(decision.figures().stages().get(2).timeoutRatio()).isGreaterThan(0.15);
    assertSameDecision(decision, decide(reading(counted), now));
  }

  @Test
  void a_pod_that_began_again_in_the_window_loses_no_call() {
    Instant now = GAP;
    JourneyWindow measured = measured(now);

    assertThat(measured.slices())
        .allSatisfy(slice -> assertThat(slice.defects()).isEmpty())
        .anySatisfy(
            slice -> {
              assertThat(slice.from()).isBefore(RESTART);
              assertThat(slice.to()).isAfter(RESTART);
            });
    assertSame(measured, counted(now));
    assertSameDecision(decide(reading(measured), now), decide(reading(counted(now)), now));
  }

  @Test
  void a_gap_in_the_scrapes_is_stale_from_one_interval_on_and_judged_again_afterwards() {
    assertThat(verdict(GAP)).isEqualTo(RoundFigures.MEASURED);
    assertThat(verdict(GAP.plus(INTERVAL))).isEqualTo(Reasons.STALE);
    assertThat(verdict(BACK)).isEqualTo(Reasons.STALE);
    assertThat(verdict(BACK.plus(INTERVAL))).isEqualTo(RoundFigures.MEASURED);
    assertThat(measured(BACK.plus(INTERVAL)).slices())
        .extracting(WindowSlice::to)
        .contains(GAP, BACK.plus(INTERVAL))
        .doesNotContain(GAP.plus(INTERVAL.multipliedBy(2)), GAP.plus(INTERVAL.multipliedBy(3)));
  }

  @Test
  void after_a_restart_of_operator_and_server_the_same_data_give_the_same_decision() {
    LatencyReading before = read(END);
    prometheus.stop();
    assertThat(read(END)).isInstanceOf(LatencyReading.Unavailable.class);
    assertThat(decide(read(END), END).reason()).isEqualTo(Reasons.QUERY_FAILED);
    prometheus.start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> read(END) instanceof LatencyReading.Measured);

    LatencyReading after = read(END);
    assertThat(after).isEqualTo(before);
    assertThat(decide(after, END)).isEqualTo(decide(before, END));
  }

  private static String verdict(Instant now) {
    return decide(read(now), now).figures().metricsReason();
  }

  /** A source of its own for each reading: nothing is remembered. */
  private static LatencyReading read(Instant now) {
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(
            PrometheusSettings.of(prometheus.url()).withTimeout(Duration.ofSeconds(60)))) {
      return source.read(now, WINDOW, INTERVAL, Set.of(ID));
    }
  }

  private static JourneyWindow measured(Instant now) {
    return ((LatencyReading.Measured) read(now)).journeys().get(ID);
  }

  private static LatencyReading reading(JourneyWindow window) {
    return new LatencyReading.Measured(Map.of(ID, window));
  }

  private static RebalanceDecision decide(LatencyReading reading, Instant now) {
    return Rebalancer.decide(
        new RebalanceInput(BUDGET, JOURNEY.rebalance(), reading, ID, PastMoves.NONE, now));
  }

  private static void assertSameDecision(RebalanceDecision one, RebalanceDecision other) {
    assertThat(one.reason()).isEqualTo(other.reason());
    assertThat(one.message()).isEqualTo(other.message());
    assertThat(one.figures().stages()).isEqualTo(other.figures().stages());
  }

  private static void assertSame(JourneyWindow measured, JourneyWindow counted) {
    assertThat(measured.slices()).hasSameSizeAs(counted.slices());
    for (int i = 0; i < counted.slices().size(); i++) {
      Map<String, StageWindow> expected = counted.slices().get(i).stages();
      Map<String, StageWindow> actual = measured.slices().get(i).stages();
      assertThat(actual.keySet()).isEqualTo(expected.keySet());
      expected.forEach(
          (stage, window) -> {
            StageWindow found = actual.get(stage);
            assertThat(found.started()).isCloseTo(window.started(), within(1e-6));
            assertSame(found.completed(), window.completed());
            assertSame(found.capCut(), window.capCut());
            assertSame(found.deadlineCut(), window.deadlineCut());
            assertThat(found.caps()).isEqualTo(window.caps());
          });
    }
  }

  /** Buckets that counted nothing are left out of an answer. */
  private static void assertSame(LatencyHistogram found, LatencyHistogram counted) {
    LatencyHistogram measured = found.on(counted.boundaries()).orElseThrow();
    for (int i = 0; i < counted.counts().size(); i++) {
      assertThat(measured.counts().get(i)).isCloseTo(counted.counts().get(i), within(1e-6));
    }
  }

  /** The window's slices from the calls alone. */
  private static JourneyWindow counted(Instant now) {
    List<WindowSlice> slices = new ArrayList<>();
    for (Instant to = now.minus(WINDOW).plus(INTERVAL); !to.isAfter(now); to = to.plus(INTERVAL)) {
      Instant end = to;
      List<Call> in =
          calls.stream()
              .filter(call -> !call.at().isBefore(end.minus(INTERVAL)) && call.at().isBefore(end))
              .toList();
      if (!in.isEmpty()) {
        slices.add(slice(end, in));
      }
    }
    return new JourneyWindow(slices);
  }

  private static WindowSlice slice(Instant to, List<Call> in) {
    Map<String, StageWindow> stages = new HashMap<>();
    for (StageBudget stage : BUDGET.stages()) {
      List<Call> own = in.stream().filter(call -> call.stage().equals(stage.name())).toList();
      stages.put(
          stage.name(),
          new StageWindow(
              own.size(),
              histogram(own, ""),
              histogram(own, "cap"),
              histogram(own, "deadline"),
              LatencyHistogram.EMPTY,
              0,
              Map.of(),
              stage.cap() == null ? null : new StageWindow.CapSpan(stage.cap(), stage.cap())));
    }
    return new WindowSlice(
        to.minus(INTERVAL),
        to,
        stages,
        Map.of(),
        Map.of(),
        Map.of(),
        histogram(List.of(), ""),
        LatencyHistogram.EMPTY,
        List.of());
  }

  private static LatencyHistogram histogram(List<Call> calls, String cut) {
    List<Double> boundaries = LatencyBoundaries.of(BUDGET.total());
    Double[] counts = new Double[boundaries.size() + 1];
    Arrays.fill(counts, 0.0);
    for (Call call : calls) {
      if (call.cut().equals(cut)) {
        int bucket = 0;
        while (bucket < boundaries.size() && call.seconds() > boundaries.get(bucket)) {
          bucket++;
        }
        counts[bucket]++;
      }
    }
    return new LatencyHistogram(boundaries, List.of(counts));
  }
}
