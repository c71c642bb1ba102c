package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.AdviceStatus;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.LadderAdvice;
import dev.ragjourney.rebalance.RoundFigures;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code status.rebalance.advice}: appears when three windows in a row say so, and goes when the
 * whole window does not say so any more, so that one odd slice makes it neither come nor go.
 */
final class AdviceFold {
  private AdviceFold() {}

  static @Nullable AdviceStatus advice(
      @Nullable AdviceStatus shown, @Nullable Round round, @Nullable Plan plan) {
    RoundFigures figures = round == null ? null : round.decision().figures();
    if (figures == null || !figures.measured()) {
      return shown != null && plan != null && !has(plan, shown) ? null : shown;
    }
    Forecasts forecasts = figures.forecasts();
    LadderAdvice advice = forecasts == null ? null : forecasts.advice();
    if (advice == null) {
      return null;
    }
    boolean stage = advice.rung() == LadderAdvice.Rung.STAGE;
    AdviceStatus same =
        shown != null && advice.name().equals(stage ? shown.stage() : shown.level()) ? shown : null;
    if (same == null && !advice.lasting()) {
      return null;
    }
    return new AdviceStatus(
        stage ? advice.name() : null,
        stage ? null : advice.name(),
        Steady.message(same == null ? null : same.message(), advice.message(), Steady.POINT));
  }

  /** Whether the plan still has what the advice is about. */
  private static boolean has(Plan plan, AdviceStatus shown) {
    return shown.stage() == null
        ? plan.levels().stream().anyMatch(level -> Objects.equals(level.name(), shown.level()))
        : plan.stages().stream().anyMatch(stage -> Objects.equals(stage.name(), shown.stage()));
  }
}
