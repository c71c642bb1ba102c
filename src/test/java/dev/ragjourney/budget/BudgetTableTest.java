package dev.ragjourney.budget;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetTableTest {
  private static final long MS = 1_000_000;

  @Test
  void a_stage_holds_back_the_reserve_and_the_floors_of_required_stages_after_it() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("400ms").floor("100ms"),
                search().cap("1s").floor("200ms"),
                rerank().cap("300ms").floor("150ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.holdback(0, 0, 1)).isEqualTo((50 + 200 + 1000) * MS);
    assertThat(table.holdback(1, 0, 1)).isEqualTo((50 + 1000) * MS);
    assertThat(table.holdback(2, 0, 1)).isEqualTo((50 + 1000) * MS);
    assertThat(table.holdback(3, 0, 1)).isEqualTo(50 * MS);
  }

  @Test
  void a_hold_back_of_its_own_counts_at_the_first_level_where_it_is_more_than_the_floors() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                search().cap("1s").holdBack("1200ms").fallback("300ms", "0s"),
                rerank().cap("300ms").holdBack("800ms"),
                generate().floor("1s"))
            .level("full", "0s", List.of())
            .level("fast", "0s", List.of())
            .table();

    assertThat(table.holdback(0, 0, 1)).isEqualTo((50 + 1200) * MS);
    assertThat(table.holdback(1, 0, 1)).as("never below the floors").isEqualTo((50 + 1000) * MS);
    assertThat(table.holdback(0, 1, 1)).as("at a lower level").isEqualTo((50 + 1000) * MS);
    assertThat(table.drawnHoldback(0, 0, 1)).as("of a fallback").isEqualTo((50 + 1000) * MS);
    assertThat(table.threshold(0, 0)).as("of the level").isEqualTo((50 + 1000) * MS);
    assertThat(table.allowance(0, 0, 2000 * MS, 1)).isEqualTo(750 * MS);
  }

  @Test
  void generates_hold_back_starts_its_fallback_and_does_not_end_its_own_call() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                search().cap("1s"),
                generate().floor("1s").holdBack("600ms").fallback("400ms", "0s"))
            .table();

    long failOver = table.failOver(1, 0, 2000 * MS, 1);
    assertThat(failOver).isEqualTo((2000 - 50 - 600) * MS);
    assertThat(table.endWithFallback(1, 0, 2000 * MS, failOver, 1)).isEqualTo((2000 - 50) * MS);
  }

  @Test
  void a_required_stage_without_a_floor_is_left_its_expected_median() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("400ms"),
                search().cap("1s").expected("120ms", "300ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.holdback(0, 0, 1)).isEqualTo((50 + 120 + 1000) * MS);
  }

  @Test
  void a_parallel_group_is_held_back_as_its_longest_floor_and_not_for_its_own_members() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("400ms"),
                search().group("find").cap("1s").floor("200ms"),
                stage("tool", StageType.TOOL).group("find").cap("1s").floor("350ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.holdback(0, 0, 1)).isEqualTo((50 + 350 + 1000) * MS);
    assertThat(table.holdback(1, 0, 1)).isEqualTo((50 + 1000) * MS);
    assertThat(table.holdback(2, 0, 1)).isEqualTo((50 + 1000) * MS);
  }

  @Test
  void a_lower_level_leaves_generate_its_own_floor_or_a_share_of_the_declared_one() {
    BudgetTable table =
        BudgetDraft.of("8s")
            .stages(search().cap("1s"), generate().floor("1s500ms"))
            .level("full", "5s", List.of())
            .level("fast", "3s", List.of())
            .level("minimal", "1s500ms", List.of(), at("generate", null, "600ms"))
            .table();

    assertThat(table.floor(1, 0, 1)).isEqualTo(1500 * MS);
    assertThat(table.floor(1, 1, 1)).isEqualTo(900 * MS);
    assertThat(table.floor(1, 2, 1)).isEqualTo(600 * MS);
    assertThat(table.holdback(0, 1, 1)).isEqualTo(950 * MS);
  }

  @Test
  void a_fast_stage_donates_to_the_later_ones_up_to_their_caps() {
    BudgetTable table =
        BudgetDraft.of("2s")
            .stages(rewrite().cap("400ms"), search().cap("1s"), generate().floor("800ms"))
            .table();

    assertThat(table.allowance(1, 0, 1600 * MS, 1)).isEqualTo(750 * MS);
    assertThat(table.allowance(1, 0, 1990 * MS, 1)).isEqualTo(1000 * MS);
  }

  @Test
  void a_stage_with_less_than_its_useful_minimum_keeps_start() {
    BudgetTable table =
        BudgetDraft.of("2s")
            .stages(search().cap("1s").minUseful("20ms"), generate().floor("800ms"))
            .table();

    assertThat(table.limit(0, 0, (850 + 20) * MS, 1)).isEqualTo(Limit.DEADLINE);
    assertThat(table.limit(0, 0, (850 + 20) * MS - 1, 1)).isEqualTo(Limit.NO_TIME);
  }

  @Test
  void below_a_millisecond_nothing_is_called() {
    BudgetTable table =
        BudgetDraft.of("2s").stages(search().cap("1s").minUseful("0s"), generate()).table();

    assertThat(table.limit(0, 0, 51 * MS, 1)).isEqualTo(Limit.DEADLINE);
    assertThat(table.limit(0, 0, 51 * MS - 1, 1)).isEqualTo(Limit.NO_TIME);
  }

  @Test
  void generate_of_a_last_token_journey_stops_at_the_margin() {
    BudgetTable table =
        BudgetDraft.of("2s")
            .lastToken("200ms")
            .stages(search().cap("1s"), generate().floor("1s"))
            .table();

    assertThat(table.holdback(1, 0, 1)).isEqualTo(200 * MS);
    assertThat(table.holdback(0, 0, 1)).isEqualTo(1050 * MS);
  }

  @Test
  void rebalanced_caps_move_allowances_and_never_thresholds() {
    BudgetDraft declared =
        BudgetDraft.of("3s")
            .stages(rewrite().cap("400ms"), search().cap("1s"), generate().floor("1s"))
            .level("full", "2s", List.of());
    BudgetTable rebalanced =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("400ms").rebalancedTo("700ms"),
                search().cap("1s"),
                generate().floor("1s"))
            .level("full", "2s", List.of())
            .table();

    assertThat(rebalanced.allowance(0, 0, 3000 * MS, 1)).isEqualTo(700 * MS);
    assertThat(rebalanced.threshold(1, 0))
        .isEqualTo(declared.table().threshold(1, 0))
        .isEqualTo(1600 * MS);
  }

  @Test
  void fail_over_comes_at_the_earliest_of_degrade_after_cap_and_what_the_fallback_needs() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                search().cap("1s").degradeAfter("300ms").fallback("500ms", "300ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.failOver(0, 0, 3000 * MS, 1)).isEqualTo(300 * MS);
    // 1700 − 1050 held back − 500 for the fallback.
    assertThat(table.failOver(0, 0, 1700 * MS, 1)).isEqualTo(150 * MS);
    assertThat(table.failOver(0, 0, 1500 * MS, 1)).isZero();
  }

  @Test
  void the_expected_p95_is_the_fail_over_where_none_is_declared() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(
                search().cap("1s").expected("100ms", "250ms").fallback("500ms", "300ms"),
                generate().floor("1s"))
            .table();

    assertThat(table.failOver(0, 0, 3000 * MS, 1)).isEqualTo(250 * MS);
  }

  @Test
  void the_primary_stays_until_its_cap_or_the_end_of_the_fallback() {
    BudgetTable table =
        BudgetDraft.of("3s")
            .stages(search().cap("1s").fallback("500ms", "300ms"), generate().floor("1s"))
            .table();

    assertThat(table.endWithFallback(0, 0, 3000 * MS, 300 * MS, 1)).isEqualTo(1000 * MS);
    assertThat(table.endWithFallback(0, 0, 3000 * MS, 900 * MS, 1)).isEqualTo(1400 * MS);
    assertThat(table.endLimit(0, 0, 3000 * MS, 900 * MS, 1)).isEqualTo(Limit.CAP);
    assertThat(table.endWithFallback(0, 0, 2000 * MS, 900 * MS, 1)).isEqualTo(950 * MS);
    assertThat(table.endLimit(0, 0, 2000 * MS, 900 * MS, 1)).isEqualTo(Limit.DEADLINE);
  }

  @Test
  void the_fallback_of_a_required_stage_may_draw_generate_down_to_its_fallbacks_need() {
    StageDraft required = search().cap("1s").fallback("500ms", "300ms");
    StageDraft optional =
        stage("search", StageType.SEARCH).optional().cap("1s").fallback("500ms", "300ms");
    StageDraft writer = generate().floor("1s200ms").fallback("400ms", "300ms");
    BudgetTable draws = BudgetDraft.of("3s").stages(required, writer).table();
    BudgetTable keeps = BudgetDraft.of("3s").stages(optional, writer).table();

    // 1900 − 50 − 400 drawn − 500 = 950, but the primary alone may only have 1900 − 1250.
    assertThat(draws.failOver(0, 0, 1900 * MS, 1)).isEqualTo(650 * MS);
    assertThat(draws.endWithFallback(0, 0, 1900 * MS, 650 * MS, 1)).isEqualTo(1150 * MS);
    assertThat(keeps.failOver(0, 0, 1900 * MS, 1)).isEqualTo(150 * MS);
    assertThat(keeps.endWithFallback(0, 0, 1900 * MS, 150 * MS, 1)).isEqualTo(650 * MS);
  }

  @Test
  void a_shorter_caller_shrinks_reserve_and_floors_by_k_and_nothing_else() {
    BudgetTable table =
        BudgetDraft.of("4s")
            .stages(search().cap("1s").minUseful("10ms"), generate().floor("1s"))
            .level("full", "2s", List.of())
            .table();
    Deadline half = Deadline.of(0, 4000 * MS, 2000 * MS);

    assertThat(half.k()).isEqualTo(0.5);
    assertThat(table.holdback(0, 0, half.k())).isEqualTo((25 + 500) * MS);
    assertThat(table.allowance(0, 0, 2000 * MS, half.k())).isEqualTo(1000 * MS);
    assertThat(table.threshold(0, 0)).isEqualTo(2000 * MS);
    assertThat(table.limit(0, 0, (525 + 10) * MS - 1, half.k())).isEqualTo(Limit.NO_TIME);
  }

  @Test
  void a_caller_with_as_much_time_or_more_changes_nothing() {
    assertThat(Deadline.of(7, 100, null)).isEqualTo(new Deadline(7, 100, 1, false));
    assertThat(Deadline.of(7, 100, 100L)).isEqualTo(new Deadline(7, 100, 1, false));
    assertThat(Deadline.of(7, 100, 99L)).isEqualTo(new Deadline(7, 99, 0.99, true));
    assertThat(Deadline.of(7, 100, -5L)).isEqualTo(new Deadline(7, 0, 0, true));
  }

  @Test
  void k_of_one_is_exact_for_the_longest_durations_that_can_be_written() {
    BudgetTable table =
        BudgetDraft.of("99999h")
            .reserve("99998h59m59s999ms")
            .stages(search().cap("1s"), generate())
            .table();

    assertThat(table.holdback(0, 0, 1)).isEqualTo(Durations.parse("99998h59m59s999ms").toNanos());
  }

  @Test
  void a_journey_whose_last_level_is_not_static_is_refused() {
    JourneyBudget whole = BudgetDraft.of("3s").stages(generate()).budget();
    JourneyBudget cut =
        new JourneyBudget(
            whole.total(),
            whole.countTo(),
            whole.reserve(),
            whole.lastTokenMargin(),
            whole.streamIdle(),
            whole.streamMax(),
            whole.stages(),
            whole.levels().subList(0, 1));

    assertThatThrownBy(() -> BudgetTable.of(cut)).hasMessage("The last level must answer Static.");
  }

  @Test
  void over_random_journeys_allowances_never_sum_beyond_the_budget_and_the_level_never_climbs() {
    Random random = new Random(20_260_101);
    int[] seen = new int[Limit.values().length];
    for (int n = 0; n < 100_000; n++) {
      BudgetTable table = randomBudget(random).table();
      Deadline deadline =
          Deadline.of(
              random.nextLong(),
              3000 * MS,
              random.nextInt(4) == 0 ? random.nextLong(3000 * MS) : null);
      walk(table, deadline, random, seen);
    }
    assertThat(seen).as("every limit was met").doesNotContain(0);
  }

  /** One journey in which every started stage takes a random part of what it may. */
  private static void walk(BudgetTable table, Deadline deadline, Random random, int[] seen) {
    long now = deadline.arrivalNanos();
    int level = 0;
    for (int stage = 0; stage < 4; stage++) {
      int chosen = table.level(stage, level, deadline.remaining(now));
      assertThat(chosen).isGreaterThanOrEqualTo(level);
      level = chosen;
      if (level >= 2) {
        return;
      }
      long remaining = deadline.remaining(now);
      Limit limit = table.limit(stage, level, remaining, deadline.k());
      seen[limit.ordinal()]++;
      if (limit == Limit.NO_TIME) {
        continue;
      }
      assertThat(remaining).as("no attempt starts after the deadline").isPositive();
      long allowance = table.allowance(stage, level, remaining, deadline.k());
      long failOver = table.failOver(stage, level, remaining, deadline.k());
      long end = table.endWithFallback(stage, level, remaining, failOver, deadline.k());
      assertThat(allowance).isPositive().isLessThanOrEqualTo(table.cap(stage));
      assertThat(failOver).isBetween(0L, allowance);
      assertThat(end).isGreaterThanOrEqualTo(allowance);
      long most = random.nextBoolean() ? allowance : end;
      now += random.nextInt(3) == 0 ? most : random.nextLong(most + 1);
      assertThat(deadline.remaining(now)).as("inside the budget").isNotNegative();
    }
  }

  private static BudgetDraft randomBudget(Random random) {
    return BudgetDraft.of("3s")
        .reserve(random.nextInt(100) + "ms")
        .stages(
            rewrite().cap(ms(random, 600)),
            search()
                .cap(ms(random, 1500))
                .floor(ms(random, 200))
                .degradeAfter(ms(random, 1500))
                .fallback(ms(random, 600), "300ms"),
            rerank().cap(ms(random, 800)),
            generate().floor(ms(random, 1500)).fallback(ms(random, 700), "100ms"))
        .level("full", ms(random, 2500), List.of())
        .level("fast", ms(random, 1500), List.of("rerank"));
  }

  private static String ms(Random random, int most) {
    return 1 + random.nextInt(most) + "ms";
  }
}
