package dev.ragjourney.budget;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journeys worked out by hand, to the nanosecond. */
class WorkedExamplesTest {
  private static final long MS = 1_000_000;

  @Test
  void the_three_second_journey_with_every_stage_at_its_cap() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("400ms"),
                search().cap("1s").fallback("500ms", "300ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.allowance(0, 0, 3000 * MS, 1)).isEqualTo(400 * MS);
    assertThat(table.allowance(1, 0, 2600 * MS, 1)).isEqualTo(1000 * MS);
    assertThat(table.limit(1, 0, 2600 * MS, 1)).isEqualTo(Limit.CAP);
    // Fail-over at the cap: 1600 are left then, the fallback may have 500 of them.
    assertThat(table.failOver(1, 0, 2600 * MS, 1)).isEqualTo(1000 * MS);
    assertThat(table.endWithFallback(1, 0, 2600 * MS, 1000 * MS, 1)).isEqualTo(1500 * MS);
    // 50 for assembly, generate gets the rest of the 1100.
    assertThat(table.allowance(2, 0, 1100 * MS, 1)).isEqualTo(1050 * MS);
  }

  @Test
  void the_two_second_assistant_grants_all_and_leaves_1350_to_generate() {
    BudgetTable table =
        BudgetDraft.of("2s")
            .stages(
                stage("embed", StageType.EMBED).cap("100ms"),
                search().cap("200ms"),
                rerank().cap("300ms"),
                generate().floor("800ms"))
            .table();

    assertThat(table.allowance(0, 0, 2000 * MS, 1)).isEqualTo(100 * MS);
    assertThat(table.allowance(1, 0, 1900 * MS, 1)).isEqualTo(200 * MS);
    assertThat(table.allowance(2, 0, 1700 * MS, 1)).isEqualTo(300 * MS);
    assertThat(table.allowance(3, 0, 1400 * MS, 1)).isEqualTo(1350 * MS);
    assertThat(table.limit(3, 0, 1400 * MS, 1)).isEqualTo(Limit.DEADLINE);
  }

  /** Above 5 s full, above 3 s five chunks and no rerank, above 1.5 s three and a smaller model. */
  private static BudgetDraft eightSeconds(StageDraft... stages) {
    return BudgetDraft.of("8s")
        .stages(stages)
        .level("full", "5s", List.of(), at("generate", "4s", null))
        .level("fast", "3s", List.of("rerank"), at("generate", "4s", null))
        .level("minimal", "1s500ms", List.of("rewrite", "rerank"), at("generate", null, "600ms"))
        .cached("cached");
  }

  private static final BudgetTable EIGHT_SECONDS =
      eightSeconds(search().cap("1s"), rerank().cap("700ms"), generate().floor("1s500ms")).table();

  @ParameterizedTest(name = "with {0} ms left at search the level is {1}")
  @CsvSource({
    "8000, 0", "5001, 0", "5000, 1", "4999, 1", "3001, 1", "3000, 2", "1501, 2", "1500, 3", "1, 3",
    "0, 4", "-1, 4"
  })
  void the_eight_second_journey_at_search(long remaining, int level) {
    assertThat(EIGHT_SECONDS.level(0, 0, remaining * MS)).isEqualTo(level);
  }

  @ParameterizedTest(name = "with {0} ms left at generate the level is {1}")
  @CsvSource({"4001, 0", "4000, 2", "3999, 2", "650, 2", "646, 2", "645, 3"})
  void the_eight_second_journey_at_generate(long remaining, int level) {
    assertThat(EIGHT_SECONDS.level(2, 0, remaining * MS)).isEqualTo(level);
  }

  @Test
  void one_nanosecond_above_a_threshold_is_above_it() {
    assertThat(EIGHT_SECONDS.level(0, 0, 5000 * MS + 1)).isZero();
    assertThat(EIGHT_SECONDS.level(0, 0, 5000 * MS)).isEqualTo(1);
  }

  @Test
  void at_1501_ms_search_still_gets_a_useful_allowance() {
    // 1501 − 50 reserve − 600 for the smaller model.
    assertThat(EIGHT_SECONDS.allowance(0, 2, 1501 * MS, 1)).isEqualTo(851 * MS);
    assertThat(EIGHT_SECONDS.limit(0, 2, 1501 * MS, 1)).isEqualTo(Limit.DEADLINE);
  }

  @ParameterizedTest(name = "with {0} ms left at the rewrite the level is {1}")
  @CsvSource({"5001, 0", "5000, 1", "3000, 2", "1500, 3"})
  void with_a_rewrite_in_front_the_same_choices_fall_at_the_rewrite(long remaining, int level) {
    BudgetTable table =
        eightSeconds(
                rewrite().cap("400ms"),
                search().cap("1s"),
                rerank().cap("700ms"),
                generate().floor("1s500ms"))
            .table();

    assertThat(table.level(0, 0, remaining * MS)).isEqualTo(level);
    // The rewrite's declared cap is off the threshold of what comes after it.
    assertThat(table.threshold(1, 0)).isEqualTo(4600 * MS);
    assertThat(table.threshold(1, 2)).isEqualTo(1500 * MS);
  }

  @Test
  void the_retry_plan_of_seven_point_seven_seconds_is_refused() {
    JourneyBudget budget =
        BudgetDraft.of("5s")
            .stages(
                search().cap("5s").retry("100ms", "500ms", "3s", "3s"), generate().floor("1s200ms"))
            .budget();

    assertThat(Feasibility.check(budget))
        .isEqualTo(
            new Feasibility.Refused(
                List.of(
                    new Finding(
                        "spec.stages[0].retry",
                        "RetriesCannotFit",
                        """
                        3.0 + 0.5 + 3.0 + 1.2 = 7.7 s > 5 s \
                        (search attempt 1 + backoff + search attempt 2 + generate floor)
                        reserve 0.05 s"""))));
  }

  @Test
  void the_retry_plan_of_3730_ms_is_accepted_with_a_slack_of_1270_ms() {
    JourneyBudget budget =
        BudgetDraft.of("5s")
            .stages(
                search()
                    .cap("3s")
                    .retry("80ms", "180ms", "1s200ms", "800ms")
                    .fallback("350ms", "300ms"),
                generate().floor("1s200ms"))
            .budget();

    assertThat(Feasibility.check(budget))
        .isEqualTo(
            new Feasibility.Fits(
                Duration.ofMillis(3730),
                Duration.ofMillis(1270),
                """
                1.2 + 0.18 + 0.8 + 0.35 + 1.2 = 3.73 s of 5 s \
                (search attempt 1 + backoff + search attempt 2 + search fallback + generate floor), \
                slack 1.27 s
                reserve 0.05 s"""));
  }

  @Test
  void the_agents_plan_counts_the_longest_of_what_runs_side_by_side() {
    JourneyBudget budget =
        BudgetDraft.of("8s")
            .stages(
                stage("plan", StageType.TOOL).cap("450ms"),
                stage("first", StageType.TOOL).cap("1s400ms"),
                stage("second", StageType.TOOL).cap("1s400ms"),
                stage("weather", StageType.TOOL).group("look-ups").cap("1s100ms"),
                stage("calendar", StageType.TOOL).group("look-ups").cap("900ms"),
                generate().floor("2s"),
                stage("format", StageType.TOOL).cap("350ms"))
            .budget();

    assertThat(Feasibility.check(budget))
        .isEqualTo(
            new Feasibility.Fits(
                Duration.ofMillis(6700),
                Duration.ofMillis(1300),
                """
                0.45 + 1.4 + 1.4 + 1.1 + 2.0 + 0.35 = 6.7 s of 8 s \
                (plan + first + second + weather + generate floor + format), slack 1.3 s
                reserve 0.05 s"""));
  }
}
