package dev.ragjourney.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.Rungs;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingCollectorTest {
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final long TIME = 1_700_000_000_000L;

  private final ReadingCollector collector = new ReadingCollector(INTERVAL);

  @Test
  void cumulative_buckets_become_one_count_a_bucket() {
    bucket("success", "", "0.1", 10);
    bucket("success", "", "+Inf", 25);
    bucket("success", "", "0.2", 22);

    assertThat(stage().completed())
        .isEqualTo(new LatencyHistogram(List.of(0.1, 0.2), List.of(10.0, 12.0, 3.0)));
  }

  @Test
  void a_fallback_that_gave_a_result_is_counted_by_its_stage_whatever_its_backend() {
    series(Kind.FALLBACKS, Map.of("stage", "search"), 2);
    bucket("success", "", "+Inf", 7);

    WindowSlice slice = slice();
    assertThat(slice.fallbacks()).containsExactly(Map.entry("search", 2.0));
    assertThat(Rungs.of(new JourneyWindow(List.of(slice))))
        .isEqualTo(new Rungs(Map.of(), Map.of("search", slice.to())));
  }

  @Test
  void a_fallbacks_calls_are_kept_apart_and_those_that_did_not_end_by_themselves_are_cut() {
    for (String outcome : List.of("success", "degraded", "timeout", "cancelled")) {
      series(Kind.FALLBACK_LATENCY, Map.of("stage", "search", "outcome", outcome, "le", "+Inf"), 5);
    }
    bucket("success", "", "+Inf", 7);

    assertThat(stage().completed().total()).isEqualTo(7);
    assertThat(stage().fallbackCompleted().total()).isEqualTo(10);
    assertThat(stage().fallbackCut().total()).isEqualTo(10);
  }

  @Test
  void late_calls_are_kept_apart_by_whether_they_ended() {
    series(Kind.LATE, Map.of("stage", "search", "outcome", "success", "le", "+Inf"), 5);
    series(Kind.LATE, Map.of("stage", "search", "outcome", "timeout", "le", "+Inf"), 2);
    bucket("timeout", "cap", "+Inf", 70);

    assertThat(stage().completed().total()).isZero();
    assertThat(stage().capCut().total()).isEqualTo(70);
    assertThat(stage().late().completed().total()).isEqualTo(5);
    assertThat(stage().late().stillRunning().total()).isEqualTo(2);
  }

  @Test
  void a_late_end_alone_is_no_figure_of_a_slice() {
    series(Kind.LATE, Map.of("stage", "search", "outcome", "success", "le", "+Inf"), 5);
    series(Kind.STARTED, Map.of("stage", "rerank"), 5);

    assertThat(slice().stages()).containsOnlyKeys("rerank");
  }

  @Test
  void two_spellings_of_a_boundary_add_up() {
    bucket("success", "", "1", 10);
    bucket("success", "", "1.0", 5);
    bucket("success", "", "+Inf", 15);

    assertThat(stage().completed())
        .isEqualTo(new LatencyHistogram(List.of(1.0), List.of(15.0, 0.0)));
  }

  @ParameterizedTest(name = "outcome {0}, cut {1}")
  @CsvSource({
    "success,'',completed",
    "degraded,'',completed",
    "timeout,cap,cap",
    "timeout,deadline,deadline",
    "cancelled,lost,lost",
    "cancelled,caller,none",
    "cancelled,'',none"
  })
  void every_ending_has_its_place(String outcome, String cut, String place) {
    bucket(outcome, cut, "+Inf", 7);

    StageWindow stage = stage();
    assertThat(
            Map.of(
                "completed", stage.completed().total(),
                "cap", stage.capCut().total(),
                "deadline", stage.deadlineCut().total(),
                "lost", stage.lost().total()))
        .allSatisfy(
            (name, total) -> assertThat(total).as(name).isEqualTo(name.equals(place) ? 7 : 0));
  }

  @Test
  void the_labels_are_those_that_the_pods_write() {
    assertThat(StageOutcome.values())
        .extracting(StageOutcome::label)
        .contains("success", "degraded", "timeout", "cancelled", "error");
    assertThat(Cut.values()).extracting(Cut::label).contains("cap", "deadline", "lost", "caller");
  }

  @Test
  void a_higher_boundary_with_fewer_counts_is_a_mix_of_layouts() {
    bucket("success", "", "0.1", 10);
    bucket("success", "", "0.15", 4);
    bucket("success", "", "+Inf", 25);

    assertThat(slice().defects())
        .containsExactly(
            new WindowSlice.Defect(
                Reasons.LAYOUT_CHANGED,
                "search: the bucket le=\"0.15\" has fewer counts than the one below it"));
  }

  @Test
  void sums_that_differ_by_rounding_only_are_no_mix() {
    bucket("success", "", "0.1", 10.000000000001);
    bucket("success", "", "+Inf", 10);

    assertThat(slice().defects()).isEmpty();
    assertThat(stage().completed().counts()).containsExactly(10.000000000001, 0.0);
  }

  @Test
  void buckets_without_the_unbounded_one_are_a_mix_of_layouts() {
    bucket("success", "", "0.1", 10);

    assertThat(slice().defects())
        .extracting(WindowSlice.Defect::reason)
        .containsExactly(Reasons.LAYOUT_CHANGED);
  }

  @Test
  void nan_and_infinite_values_are_defects() {
    series(Kind.STARTED, Map.of("stage", "search"), Double.NaN);
    series(Kind.ANSWERS, Map.of("outcome", "full"), Double.POSITIVE_INFINITY);

    assertThat(slice().defects())
        .containsExactly(
            new WindowSlice.Defect(Reasons.NOT_FINITE, "started of search is NaN"),
            new WindowSlice.Defect(Reasons.NOT_FINITE, "answers of the journey is Infinity"));
  }

  @Test
  void a_count_that_shrank_is_a_reset() {
    series(Kind.STARTED, Map.of("stage", "search"), -3);

    assertThat(slice().defects())
        .containsExactly(
            new WindowSlice.Defect(Reasons.COUNTER_RESET, "started of search grew by -3.0"));
  }

  @Test
  void a_series_that_is_there_twice_is_a_defect_and_so_is_a_pod_scraped_under_two_names() {
    series(Kind.STARTED, Map.of("stage", "search"), 3);
    assertThat(slice().defects()).isEmpty();
    series(Kind.STARTED, Map.of("stage", "search"), 3);
    series(Kind.DOUBLED, Map.of("instance", "10.0.0.1:9090"), 2);

    assertThat(slice().defects())
        .containsExactly(
            new WindowSlice.Defect(Reasons.SEVERAL_SERIES, "started of search is there twice"),
            new WindowSlice.Defect(
                Reasons.SEVERAL_SERIES,
                "a pod is scraped twice, with the label pod and without it; its calls count twice"));
  }

  @Test
  void the_newest_samples_own_time_is_the_windows() {
    series(Kind.STARTED, Map.of("stage", "search"), 3);
    collector.series(
        labels(Kind.SCRAPED, Map.of()),
        new long[] {TIME, TIME + 300_000},
        new double[] {TIME / 1e3 - 7, TIME / 1e3 + 250.5});

    JourneyWindow window = collector.reading().journeys().get(new JourneyId("shop", "faq"));
    assertThat(window.scraped()).isEqualTo(Instant.ofEpochMilli(TIME + 250_500));
    assertThat(window.slices()).hasSize(1);
  }

  @Test
  void a_time_that_is_no_number_makes_no_sample_newer() {
    series(Kind.STARTED, Map.of("stage", "search"), 3);
    collector.series(
        labels(Kind.SCRAPED, Map.of()),
        new long[] {TIME, TIME + 1, TIME + 2},
        new double[] {TIME / 1e3, Double.NaN, Double.POSITIVE_INFINITY});

    assertThat(collector.reading().journeys().get(new JourneyId("shop", "faq")).scraped())
        .isEqualTo(Instant.ofEpochMilli(TIME));
  }

  @Test
  void a_thousand_bad_series_leave_a_handful_of_defects() {
    for (int i = 0; i < 1000; i++) {
      series(Kind.STARTED, Map.of("stage", "s" + i), Double.NaN);
    }

    assertThat(slice().defects()).hasSize(5);
  }

  @Test
  void counts_caps_and_answers_find_their_place() {
    series(Kind.STARTED, Map.of("stage", "search"), 100);
    series(Kind.ERRORS, Map.of("stage", "search"), 3);
    series(Kind.SKIPPED, Map.of("stage", "search", "reason", "level"), 5);
    series(Kind.LOWEST_CAP, Map.of("stage", "search"), 0.4);
    series(Kind.HIGHEST_CAP, Map.of("stage", "search"), 0.6);
    series(Kind.ANSWERS, Map.of("outcome", "full", "level", "full"), 80);
    series(Kind.ANSWERS, Map.of("outcome", "degraded", "level", "full"), 4);
    series(Kind.ANSWERS, Map.of("outcome", "degraded", "level", "fast"), 6);

    StageWindow stage = stage();
    assertThat(stage.started()).isEqualTo(100);
    assertThat(stage.errors()).isEqualTo(3);
    assertThat(stage.skipped()).isEqualTo(Map.of("level", 5.0));
    assertThat(stage.caps())
        .isEqualTo(new StageWindow.CapSpan(Duration.ofMillis(400), Duration.ofMillis(600)));
    assertThat(slice().answers()).isEqualTo(Map.of("full", 80.0, "degraded", 10.0));
    assertThat(slice().levels()).isEqualTo(Map.of("full", 84.0, "fast", 6.0));
  }

  @Test
  void a_cap_without_counts_makes_no_slice() {
    series(Kind.LOWEST_CAP, Map.of("stage", "search"), 0.4);

    assertThat(collector.reading().journeys().get(new JourneyId("shop", "faq")).slices()).isEmpty();
  }

  @Test
  void slices_are_oldest_first_and_as_long_as_the_interval() {
    collector.series(
        labels(Kind.STARTED, Map.of("stage", "search")),
        new long[] {TIME + 300_000, TIME},
        new double[] {2, 1});

    assertThat(collector.reading().journeys().get(new JourneyId("shop", "faq")).slices())
        .extracting(WindowSlice::from, WindowSlice::to)
        .containsExactly(
            tuple(Instant.ofEpochMilli(TIME).minus(INTERVAL), Instant.ofEpochMilli(TIME)),
            tuple(Instant.ofEpochMilli(TIME), Instant.ofEpochMilli(TIME).plus(INTERVAL)));
  }

  @Test
  void series_of_no_journey_or_no_kind_are_passed_over() {
    collector.series(Map.of("rag_kind", "started"), new long[] {TIME}, new double[] {1});
    collector.series(
        Map.of("namespace", "shop", "journey", "faq"), new long[] {TIME}, new double[] {1});

    assertThat(collector.reading().journeys()).isEmpty();
  }

  private void bucket(String outcome, String cut, String le, double count) {
    series(
        Kind.LATENCY, Map.of("stage", "search", "outcome", outcome, "cut", cut, "le", le), count);
  }

  private void series(Kind kind, Map<String, String> more, double... values) {
    long[] times = new long[values.length];
    Arrays.fill(times, TIME);
    collector.series(labels(kind, more), times, values);
  }

  private static Map<String, String> labels(Kind kind, Map<String, String> more) {
    Map<String, String> labels = new HashMap<>(more);
    labels.putAll(Map.of("namespace", "shop", "journey", "faq", "rag_kind", kind.label()));
    return labels;
  }

  private WindowSlice slice() {
    return collector.reading().journeys().get(new JourneyId("shop", "faq")).slices().getFirst();
  }

  private StageWindow stage() {
    return slice().stages().get("search");
  }
}
