package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.input;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.reading;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.WhatIf.Answer;
import dev.ragjourney.rebalance.WhatIf.Change;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WhatIfTest {
  private static final RebalanceInput INPUT = input(BUDGET, policy(), reading(slice(SOUND)));

  @Test
  void without_a_change_both_outlooks_are_what_a_round_forecasts() {
    Answer.Foreseen answer = foreseen(new Change(BUDGET, policy(), Map.of()));

    Forecasts forecasts = Rebalancer.decide(INPUT).figures().forecasts();
    assertThat(answer.now()).isEqualTo(answer.then());
    assertThat(answer.now().forecast()).isEqualTo(forecasts.inForce());
    assertThat(answer.now().attainable()).isEqualTo(forecasts.attainable());
    assertThat(answer.reason()).isEqualTo(RoundFigures.MEASURED);
  }

  @Test
  void the_share_of_calls_beyond_a_cap_is_that_of_the_law() {
    Answer.Foreseen answer = foreseen(new Change(withRerank(200), policy(), Map.of()));

    assertThat(answer.now().cuts().keySet()).containsExactlyInAnyOrder("search", "rerank");
    assertThat(answer.now().cuts().get("rerank")).isCloseTo(0.1, within(0.02));
    assertThat(answer.then().cuts().get("rerank")).isCloseTo(0.55, within(0.06));
    assertThat(answer.then().forecast().full()).isLessThan(answer.now().forecast().full() - 0.3);
  }

  @Test
  void a_stage_that_is_faster_is_cut_less_often() {
    Answer.Foreseen answer = foreseen(new Change(BUDGET, policy(), Map.of("rerank", 2.0)));

    assertThat(answer.then().cuts().get("rerank")).isLessThan(0.07);
    assertThat(answer.then().forecast().full())
        .isGreaterThan(answer.now().forecast().full() + 0.02);
  }

  @Test
  void a_shorter_total_lowers_what_is_attainable() {
    JourneyBudget shorter =
        new JourneyBudget(
            ms(1_200),
            BUDGET.countTo(),
            BUDGET.reserve(),
            BUDGET.lastTokenMargin(),
            BUDGET.streamIdle(),
            BUDGET.streamMax(),
            BUDGET.stages(),
            BUDGET.levels());
    Answer.Foreseen answer = foreseen(new Change(shorter, policy(), Map.of()));

    assertThat(answer.then().attainable()).isLessThan(answer.now().attainable() - 0.2);
  }

  @Test
  void without_figures_there_is_no_answer_but_a_reason() {
    Change change = new Change(BUDGET, policy(), Map.of());
    LatencyReading away = new LatencyReading.Unavailable(Reasons.QUERY_FAILED, "away");

    assertThat(WhatIf.of(input(BUDGET, policy(), away), change))
        .isEqualTo(new Answer.Unknown(Reasons.QUERY_FAILED, "away"));
    assertThat(
            WhatIf.of(
                input(BUDGET, policy(), reading(slice(SoundJourney.without("rerank")))), change))
        .isInstanceOfSatisfying(
            Answer.Unknown.class,
            unknown -> assertThat(unknown.reason()).isEqualTo(Reasons.PARTIAL_STAGES));
  }

  @Test
  void a_budget_of_other_stages_is_refused() {
    Change other = new Change(BUDGET.withStages(List.of()), policy(), Map.of());

    assertThatThrownBy(() -> WhatIf.of(INPUT, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the stages [] are not [search, rerank, generate]");
  }

  private static JourneyBudget withRerank(long capMillis) {
    return BUDGET.withStages(
        BUDGET.stages().stream()
            .map(stage -> stage.name().equals("rerank") ? stage.withCap(ms(capMillis)) : stage)
            .toList());
  }

  private static Answer.Foreseen foreseen(Change change) {
    return (Answer.Foreseen) WhatIf.of(INPUT, change);
  }
}
