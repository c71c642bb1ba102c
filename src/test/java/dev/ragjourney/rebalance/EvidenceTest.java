package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.Journeys.with;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EvidenceTest {
  private static final Instant BEFORE = NOW.minus(Journeys.INTERVAL);

  @Test
  void calls_that_failed_or_were_refused_count_and_those_the_forecast_knows_of_do_not() {
    Map<String, StageWindow> stages =
        with(SOUND, "search", failing(50, Map.of("breaker", 50.0, "no_time", 90.0, "level", 9.0)));

    Evidence evidence = evidence(null, slice(stages));

    assertThat(evidence.failing().get("search")).isCloseTo(100 / 1100.0, within(1e-9));
    assertThat(evidence.failing().get("rerank")).isZero();
  }

  @Test
  void failures_of_another_time_do_not_count_and_those_within_chance_do() {
    WindowSlice outage = slice(BEFORE, with(SOUND, "search", failing(600, Map.of())));
    WindowSlice few = slice(BEFORE, with(SOUND, "search", failing(40, Map.of())));
    WindowSlice now = slice(with(SOUND, "search", failing(50, Map.of())));

    assertThat(evidence(null, outage, now).failing().get("search"))
        .isCloseTo(50 / 1050.0, within(1e-9));
    assertThat(evidence(null, few, now).failing().get("search"))
        .isCloseTo(90 / 2090.0, within(1e-9));
  }

  @Test
  void failed_calls_cost_full_answers_and_without_a_fallback_what_is_needed_is_missed() {
    double sound = forecast(SOUND).full();

    Forecast optional =
        forecast(with(SOUND, "rerank", SoundJourney.errors(SOUND.get("rerank"), 250)));
    Forecast needed =
        forecast(with(SOUND, "generate", SoundJourney.errors(SOUND.get("generate"), 250)));

    assertThat(optional.full()).isCloseTo(sound * 0.8, within(1e-9));
    assertThat(optional.miss()).isLessThan(0.01);
    assertThat(needed.full()).isCloseTo(sound * 0.8, within(1e-9));
    assertThat(needed.miss()).isGreaterThan(0.2);
  }

  @Test
  void only_answers_under_the_settings_in_force_are_compared_with_their_forecast() {
    WindowSlice older = slice(BEFORE, SOUND);
    WindowSlice newest = slice(SOUND);

    assertThat(evidence(null, older, newest).answered())
        .containsExactly(new Answered(100, 90, 2), new Answered(100, 90, 2));
    assertThat(evidence(BEFORE, older, newest).answered()).hasSize(1);
    assertThat(evidence(NOW, older, newest).answered()).isEmpty();
  }

  @Test
  void answers_from_before_a_change_of_the_latencies_are_not_compared() {
    StageWindow slower =
        Journeys.calls(SoundJourney.SEARCH_CAP, 300, Journeys.lognormal(700, 0.4, 0.4));

    Evidence evidence = evidence(null, slice(BEFORE, SOUND), slice(with(SOUND, "search", slower)));

    assertThat(evidence.drifted()).isTrue();
    assertThat(evidence.answered()).hasSize(1);
  }

  @Test
  void the_miss_factor_starts_at_one_and_follows_what_is_seen() {
    Forecast forecast = new Forecast(0.9, 0.01);

    assertThat(Answered.missedPerForecast(List.of(), forecast)).isEqualTo(1);
    assertThat(Answered.missedPerForecast(List.of(new Answered(1000, 900, 20)), forecast))
        .isCloseTo(30 / 20.0, within(1e-9));
    assertThat(
            Answered.missedPerForecast(
                List.of(new Answered(1000, 900, 20), new Answered(3000, 2700, 60)), forecast))
        .isCloseTo(90 / 50.0, within(1e-9));
    assertThat(Answered.missedPerForecast(List.of(new Answered(1000, 0, 1000)), forecast))
        .isEqualTo(3);
    assertThat(Answered.missedPerForecast(List.of(new Answered(9000, 9000, 0)), forecast))
        .isEqualTo(0.5);
  }

  @Test
  void where_more_are_missed_than_forecast_fewer_are_allowed() {
    double allowed = Journeys.policy().missRatio();
    List<Answered> many = List.of(new Answered(100_000, 80_000, 20_000));
    List<Answered> none = List.of(new Answered(100_000, 100_000, 0));

    assertThat(search(many).objective().free()).isCloseTo(allowed / 3, within(1e-12));
    assertThat(search(none).objective().free()).isEqualTo(allowed);
    assertThat(search(List.of()).objective().free()).isEqualTo(allowed);
  }

  private static QualitySearch search(List<Answered> answered) {
    Evidence sound = evidence(null, slice(SOUND));
    return new QualitySearch(
        BUDGET,
        Journeys.policy(),
        new Evidence(sound.laws(), sound.fallbacks(), Map.of(), answered, sound.calls(), false));
  }

  private static Forecast forecast(Map<String, StageWindow> stages) {
    QualitySearch search =
        new QualitySearch(BUDGET, Journeys.policy(), evidence(null, slice(stages)));
    return search.forecast(search.inForce());
  }

  private static Evidence evidence(@Nullable Instant lastMove, WindowSlice... slices) {
    LatencyReading.Measured reading = (LatencyReading.Measured) Journeys.reading(slices);
    RebalanceInput input =
        new RebalanceInput(BUDGET, Journeys.policy(), reading, ID, PastMoves.madeAt(lastMove), NOW);
    return Evidence.of(
            BUDGET, Slices.of(input, reading.journeys().get(ID)), QualitySearch.fine(BUDGET))
        .orElseThrow();
  }

  private static StageWindow failing(double errors, Map<String, Double> skipped) {
    StageWindow window = SoundJourney.errors(SOUND.get("search"), errors);
    return new StageWindow(
        window.started(),
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        errors,
        skipped,
        window.caps());
  }
}
