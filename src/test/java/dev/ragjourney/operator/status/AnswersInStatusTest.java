package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.Decisions.after;
import static dev.ragjourney.operator.status.Decisions.hold;
import static dev.ragjourney.operator.status.Decisions.measured;
import static dev.ragjourney.operator.status.Decisions.remaining;
import static dev.ragjourney.operator.status.Decisions.skipped;
import static dev.ragjourney.operator.status.StatusFolderTest.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.rebalance.Reasons;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions about answers: their thresholds, and below how many answers they say nothing. */
class AnswersInStatusTest {
  @ParameterizedTest(name = "after {0}, {1} degraded is {2}")
  @CsvSource({
    "0.05, 0.09, False",
    "0.05, 0.12, True",
    "0.12, 0.09, True",
    "0.12, 0.08, True",
    "0.12, 0.07, False",
    "0.09, 0.09, False"
  })
  void degraded_rate_high_turns_above_the_threshold_and_clears_below_80_percent_of_it(
      double before, double now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, measured(before, 0)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, measured(now, 0)), last);

    assertThat(condition(next, "DegradedRateHigh").status()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "after {0} left, {1} left is {2}")
  @CsvSource({
    "2000, 1500, False",
    "2000, 1499, True",
    "1400, 1600, True",
    "1400, 1650, True",
    "1400, 1651, False",
    "1600, 1600, False"
  })
  void generate_starts_late_below_half_of_the_budget_and_clears_above_55_percent(
      int before, int now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, remaining(before, 1200)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, remaining(now, 1200)), last);

    assertThat(condition(next, "GenerateStartsLate").status()).isEqualTo(expected);
  }

  @Test
  void a_late_start_of_generate_comes_with_the_figure_and_the_stage_that_takes_the_most() {
    Condition condition =
        condition(
            after(hold(Reasons.IN_BALANCE, remaining(1200, 1200)), null), "GenerateStartsLate");

    assertThat(condition.reason()).isEqualTo("LessThanHalfLeft");
    assertThat(condition.message())
        .isEqualTo(
            "40% of the budget is left when generate starts, at the median; search takes the most of"
                + " it, 240ms at its median; it clears above 55%");
  }

  @Test
  void a_start_of_generate_that_wobbles_is_not_told_anew() {
    RagJourneyStatus first = after(hold(Reasons.IN_BALANCE, remaining(1200, 1200)), null);

    assertThat(after(hold(Reasons.IN_BALANCE, remaining(1240, 1200)), first)).isEqualTo(first);
  }

  @Test
  void a_small_share_is_not_told_anew_for_a_fifth_of_a_point() {
    assertThat(Steady.share("1%", 0.0119)).isEqualTo("1%");
    assertThat(Steady.share("1%", 0.0131)).isEqualTo("1.3%");
  }

  @Test
  void a_share_that_is_no_number_is_absent_and_not_told_as_one() {
    RagJourneyStatus status = after(hold(Reasons.IN_BALANCE, measured(Double.NaN, 0)), null);

    assertThat(status.journey().degradedRatio()).isNull();
    assertThat(status.journey().withinBudgetRatio()).isEqualTo("100%");
    assertThat(condition(status, "DegradedRateHigh").status()).isEqualTo("Unknown");
    assertThat(status.toString()).doesNotContain("NaN");
  }

  static Stream<Arguments> ofAnswers() {
    return Stream.of("WithinBudget", "DegradedRateHigh", "StageStarved", "GenerateStartsLate")
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("ofAnswers")
  void shares_of_fewer_answers_than_min_samples_say_nothing(String type) {
    Condition few = condition(after(hold(Reasons.IN_BALANCE, remaining(1200, 99)), null), type);
    Condition enough = condition(after(hold(Reasons.IN_BALANCE, remaining(1200, 100)), null), type);

    assertThat(few.status() + "/" + few.reason()).isEqualTo("Unknown/TooFewSamples");
    assertThat(few.message()).isEqualTo("fewer than the 100 answers needed in the window");
    assertThat(enough.status()).isNotEqualTo("Unknown");
  }

  @ParameterizedTest(name = "after {0}, {1} skipped is {2}")
  @CsvSource({
    "0.5, 0.8, False",
    "0.5, 0.81, True",
    "0.9, 0.65, True",
    "0.9, 0.63, False",
    "0.7, 0.7, False"
  })
  void a_stage_is_starved_above_80_percent_and_no_longer_below_64(
      double before, double now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, skipped(before, null)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, skipped(now, null)), last);

    assertThat(condition(next, "StageStarved").status()).isEqualTo(expected);
  }

  @Test
  void a_starved_stage_comes_with_the_earlier_stage_that_used_up_its_time() {
    Condition condition =
        condition(after(hold(Reasons.IN_BALANCE, skipped(0.93, "search")), null), "StageStarved");

    assertThat(condition.status()).isEqualTo("True");
    assertThat(condition.message())
        .contains("rerank")
        .contains("93%")
        .contains("used up by search");
  }

  @Test
  void a_stage_starved_by_its_own_cap_comes_with_the_advice() {
    Condition condition =
        condition(after(hold(Reasons.IN_BALANCE, skipped(0.93, null)), null), "StageStarved");

    assertThat(condition.message()).contains("Raise its cap, scale its backend, or remove it");
  }
}
