package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.FiguresFold.text;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.BreakerBudget;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.Shares;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.status.EffectiveBreaker;
import dev.ragjourney.crd.status.EffectiveHedge;
import dev.ragjourney.crd.status.EffectiveLevel;
import dev.ragjourney.crd.status.EffectiveRetry;
import dev.ragjourney.crd.status.EffectiveStage;
import dev.ragjourney.crd.status.EffectiveStatus;
import dev.ragjourney.crd.status.LeftOutStatus;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code status.effective}: the values in force, with every default resolved. */
final class EffectiveFold {
  private EffectiveFold() {}

  static EffectiveStatus status(Plan plan, RebalancePolicy policy) {
    boolean lastToken = plan.budget().countTo() == CountTo.LAST_TOKEN;
    return new EffectiveStatus(
        plan.policy().enforcement().label(),
        text(plan.budget().reserve()),
        lastToken ? text(plan.budget().lastTokenMargin()) : null,
        plan.budget().stages().stream().map(stage -> stage(plan, stage, policy)).toList(),
        plan.budget().levels().stream().map(level -> level(plan, level)).toList(),
        policy.rule().label(),
        leftOut(plan.budget().leaves()));
  }

  private static @Nullable LeftOutStatus leftOut(LeftOut left) {
    return left.nothing()
        ? null
        : new LeftOutStatus(
            left.stages().isEmpty() ? null : left.stages(),
            left.startLevel(),
            Shares.format(left.trialShare()));
  }

  private static EffectiveStage stage(Plan plan, StageBudget stage, RebalancePolicy policy) {
    Optional<VariantPlan> full = form(plan, stage.name()).map(form -> form.variants().getFirst());
    CapRange range = policy.capRanges().get(stage.name());
    return new EffectiveStage(
        stage.name(),
        stage.type().label(),
        stage.optional(),
        full.map(VariantPlan::backend).orElse(null),
        text(stage.cap()),
        stage.floor().isZero() ? null : text(stage.floor()),
        text(stage.holdBack()),
        range == null ? null : text(range.min()),
        range == null ? null : text(range.max()),
        full.map(VariantPlan::topK).filter(topK -> topK > 0).orElse(null),
        stage.fallback() == null ? null : text(stage.fallback().cap()),
        text(degradeAfter(stage)),
        retry(stage.retry()),
        hedge(stage.hedge()),
        breaker(stage.breaker()));
  }

  private static @Nullable Duration degradeAfter(StageBudget stage) {
    return stage.degradeAfter() == null && stage.fallback() != null
        ? stage.expectedP95()
        : stage.degradeAfter();
  }

  private static @Nullable EffectiveRetry retry(@Nullable RetryBudget retry) {
    return retry == null
        ? null
        : new EffectiveRetry(
            retry.attemptCaps().stream().map(FiguresFold::text).toList(),
            text(retry.backoffMin()),
            text(retry.backoffMax()),
            Shares.format(retry.maxRatio()));
  }

  private static @Nullable EffectiveHedge hedge(@Nullable HedgeBudget hedge) {
    return hedge == null
        ? null
        : new EffectiveHedge(
            text(hedge.after()), hedge.maxConcurrent(), Shares.format(hedge.maxRatio()));
  }

  private static @Nullable EffectiveBreaker breaker(@Nullable BreakerBudget breaker) {
    return breaker == null
        ? null
        : new EffectiveBreaker(
            Shares.format(breaker.slowRatio()),
            Shares.format(breaker.errorRatio()),
            breaker.window(),
            text(breaker.probeAfter()));
  }

  private static EffectiveLevel level(Plan plan, FallbackLevel level) {
    boolean runs = level.answer() == AnswerSource.STAGES;
    return new EffectiveLevel(
        level.name(),
        level.answer().label(),
        runs ? text(level.minRemaining()) : null,
        level.skip().isEmpty() ? null : level.skip(),
        runs ? first(plan, level, form -> form.topK() > 0 ? form.topK() : null) : null,
        runs ? first(plan, level, form -> ef(plan, form)) : null,
        level.answer() == AnswerSource.SEMANTIC_CACHE ? similarity(plan) : null);
  }

  private static @Nullable String similarity(Plan plan) {
    AnswerCachePolicy cache = plan.policy().answerCache();
    return cache == null ? null : Shares.format(cache.minSimilarity());
  }

  /** What the first form of the level that says it says: the search's, as a rule. */
  private static @Nullable Integer first(
      Plan plan, FallbackLevel level, Function<VariantPlan, @Nullable Integer> value) {
    for (LevelPlan candidate : plan.levels()) {
      if (!candidate.name().equals(level.name())) {
        continue;
      }
      for (StagePlan stage : plan.stages()) {
        if (level.skip().contains(stage.name())) {
          continue;
        }
        String variant = candidate.variants().getOrDefault(stage.name(), "v0");
        for (VariantPlan form : stage.variants()) {
          Integer said = form.id().equals(variant) ? value.apply(form) : null;
          if (said != null) {
            return said;
          }
        }
      }
    }
    return null;
  }

  /** The form's own, else what its backend declares. */
  private static @Nullable Integer ef(Plan plan, VariantPlan form) {
    if (form.ef() != null) {
      return form.ef();
    }
    for (BackendPlan backend : plan.backends()) {
      String declared = backend.settings().get("ef");
      if (backend.name().equals(form.backend()) && declared != null) {
        return Integer.valueOf(declared);
      }
    }
    return null;
  }

  private static Optional<StagePlan> form(Plan plan, String stage) {
    return plan.stages().stream().filter(form -> form.name().equals(stage)).findFirst();
  }
}
