package dev.ragjourney.budget;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeasibilityTest {
  @Test
  void floors_and_reserve_beyond_the_total_are_refused() {
    assertThat(
            refusal(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s").floor("1s"), generate().floor("2s500ms"))))
        .isEqualTo(
            new Finding(
                "spec.budget.total",
                "CannotFit",
                "1.0 + 2.5 = 3.5 s > 3 s (search floor + generate floor)\nreserve 0.05 s"));
  }

  @Test
  void where_only_the_reserve_is_too_much_its_line_says_so() {
    assertThat(
            refusal(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s").floor("1s"), generate().floor("1s980ms"))))
        .isEqualTo(
            new Finding(
                "spec.budget.total",
                "CannotFit",
                "1.0 + 1.98 = 2.98 s (search floor + generate floor)\n"
                    + "reserve 0.05 s, together 3.03 s > 3 s"));
  }

  @Test
  void floors_that_fill_the_total_to_the_nanosecond_are_accepted() {
    assertThat(
            Feasibility.check(
                    BudgetDraft.of("3s")
                        .stages(search().cap("1s").floor("1s"), generate().floor("1s950ms"))
                        .budget())
                .feasible())
        .isTrue();
  }

  @Test
  void a_level_whose_floors_do_not_fit_its_own_threshold_is_refused() {
    assertThat(
            refusal(
                BudgetDraft.of("8s")
                    .stages(search().cap("1s").minUseful("10ms"), generate().floor("1s"))
                    .level("full", "5s", List.of())
                    .level("fast", "1s", List.of(), at("generate", null, "970ms"))))
        .isEqualTo(
            new Finding(
                "spec.fallbackLevels[1].minRemaining",
                "LevelCannotFit",
                "level fast: 0.97 + 0.01 = 0.98 s (generate floor + search at least)\n"
                    + "reserve 0.05 s, together 1.03 s > 1 s"));
  }

  @Test
  void work_longer_than_the_budget_belongs_into_an_asynchronous_job() {
    assertThat(
            refusal(
                BudgetDraft.of("5s")
                    .stages(
                        stage("report", StageType.TOOL).optional().cap("4s").expected("8s", "12s"),
                        generate().floor("500ms"))))
        .satisfies(
            finding -> {
              assertThat(finding.path()).isEqualTo("spec.stages[0]");
              assertThat(finding.reason()).isEqualTo("AsyncWork");
              assertThat(finding.message())
                  .isEqualTo(
                      "8 s for the stage report > 5 s, the whole budget: make it an asynchronous"
                          + " job, or give it a cap within the budget");
            });
  }

  @Test
  void caps_beyond_the_total_are_flagged_with_the_sum_and_may_run() {
    Feasibility flagged =
        Feasibility.check(
            BudgetDraft.of("2s")
                .stages(rewrite().cap("400ms"), search().cap("1s"), generate().floor("800ms"))
                .budget());

    assertThat(flagged).isInstanceOf(Feasibility.ReliesOnDonation.class);
    assertThat(flagged.feasible()).isTrue();
    assertThat(flagged.reason()).isEqualTo("ReliesOnDonation");
    assertThat(flagged.message())
        .isEqualTo(
            "0.4 + 1.0 + 0.8 = 2.2 s > 2 s (rewrite + search + generate floor):"
                + " in time only if stages take less than their caps\nreserve 0.05 s");
  }

  @Test
  void rebalanced_caps_do_not_change_the_verdict() {
    assertThat(
            Feasibility.check(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s").rebalancedTo("2s900ms"), generate().floor("1s"))
                    .budget()))
        .isInstanceOf(Feasibility.Fits.class);
  }

  @Test
  void a_fallback_adds_only_what_it_takes_beyond_the_cap() {
    assertThat(
            Feasibility.check(
                    BudgetDraft.of("3s")
                        .stages(
                            search().cap("1s").degradeAfter("700ms").fallback("500ms", "300ms"),
                            generate().floor("1s"))
                        .budget())
                .message())
        .startsWith(
            "1.0 + 0.2 + 1.0 = 2.2 s of 3 s (search + search fallback + generate floor), slack 0.8 s");
  }

  @Test
  void every_wrong_thing_is_told_at_once() {
    Feasibility refused =
        Feasibility.check(
            BudgetDraft.of("2s")
                .stages(
                    search().cap("3s").retry("10ms", "100ms", "1s", "1s"),
                    generate().floor("1s980ms"))
                .budget());

    assertThat(((Feasibility.Refused) refused).findings())
        .extracting(Finding::reason)
        .containsExactly("AsyncWork", "CannotFit", "RetriesCannotFit");
    assertThat(refused.feasible()).isFalse();
  }

  private static Finding refusal(BudgetDraft draft) {
    Feasibility checked = Feasibility.check(draft.budget());
    assertThat(checked).isInstanceOf(Feasibility.Refused.class);
    List<Finding> findings = ((Feasibility.Refused) checked).findings();
    assertThat(findings).hasSize(1);
    assertThat(checked.reason()).isEqualTo(findings.getFirst().reason());
    return findings.getFirst();
  }
}
