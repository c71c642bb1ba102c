package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RungStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.Rungs;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** C12: status shows when each rung of the ladder last worked. */
class RungsFoldTest {
  private static final Instant NOW = Journeys.NOW;
  private static final String WITH_FALLBACK =
      """
      budget: {total: 3s}
      documents: {configMap: {name: d}}
      stages:
      - {name: search, type: Search, fallback: {mode: Keyword}}
      - {name: generate, type: Generate}
      """;

  private final Journeys journey = Journeys.minimal().spec(WITH_FALLBACK).rolledOut();

  @Test
  void every_level_and_every_fallback_is_listed_before_any_of_them_has_worked() {
    assertThat(journey.status().rungs())
        .containsExactly(
            new RungStatus("full", null, null),
            new RungStatus("fast", null, null),
            new RungStatus("sorry", null, null),
            new RungStatus(null, "search", null));
  }

  @Test
  void what_worked_in_the_window_gets_its_time() {
    assertThat(rungs(null, NOW, new Rungs(Map.of("full", NOW), Map.of("search", NOW))))
        .containsExactly(
            new RungStatus("full", null, "2030-01-02T03:04:05Z"),
            new RungStatus("fast", null, null),
            new RungStatus("sorry", null, null),
            new RungStatus(null, "search", "2030-01-02T03:04:05Z"));
  }

  @Test
  void a_rung_that_works_all_the_time_is_written_anew_once_an_hour() {
    RagJourneyStatus first = status(null, NOW, worked(NOW));
    Instant soon = NOW.plusSeconds(3599);
    Instant later = NOW.plusSeconds(3600);

    assertThat(rungs(first, soon, worked(soon))).isEqualTo(first.rungs());
    assertThat(rungs(first, later, worked(later)).getFirst().lastWorked())
        .isEqualTo("2030-01-02T04:04:05Z");
  }

  @Test
  void a_rung_that_has_not_worked_for_long_keeps_its_time() {
    RagJourneyStatus first = status(null, NOW, worked(NOW));
    assertThat(rungs(first, NOW.plusSeconds(90_000), Rungs.NONE)).isEqualTo(first.rungs());
  }

  @Test
  void a_rung_that_the_spec_has_no_more_is_gone() {
    RagJourneyStatus first =
        status(null, NOW, new Rungs(Map.of("full", NOW), Map.of("search", NOW)));
    journey.spec("budget: {total: 3s}\ndocuments: {configMap: {name: d}}\n").generation(2);
    assertThat(rungs(first, NOW, Rungs.NONE)).extracting(RungStatus::fallback).containsOnlyNulls();
    assertThat(rungs(first, NOW, Rungs.NONE).getFirst().lastWorked())
        .isEqualTo("2030-01-02T03:04:05Z");
  }

  private static Rungs worked(Instant at) {
    return new Rungs(Map.of("full", at), Map.of());
  }

  private List<RungStatus> rungs(@Nullable RagJourneyStatus last, Instant at, Rungs seen) {
    return status(last, at, seen).rungs();
  }

  private RagJourneyStatus status(@Nullable RagJourneyStatus last, Instant at, Rungs seen) {
    RoundFigures figures =
        new RoundFigures(Reasons.NO_TRAFFIC, "", List.of(), RoundFigures.JourneyFigures.NONE);
    RebalanceDecision hold = new RebalanceDecision.Hold(Reasons.NO_TRAFFIC, "", figures);
    journey.at(at).round(new Round(at, 1, hold, seen));
    if (last != null) {
      journey.lastStatus(last);
    }
    return journey.status();
  }
}
