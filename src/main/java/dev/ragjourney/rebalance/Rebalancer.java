package dev.ragjourney.rebalance;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One round for one journey: verdict on the data, rule, limits, decision with reason. */
public final class Rebalancer {
  private static final String NO_LAW = "too few calls to know how long some stage takes";

  private Rebalancer() {}

  public static RebalanceDecision decide(RebalanceInput input) {
    return switch (Verdict.find(input)) {
      case Verdict.Found.Nothing(Verdict verdict) ->
          held(input, verdict, Figures.none(input.budget(), verdict));
      case Verdict.Found.Data(Slices slices) -> decide(input, slices);
    };
  }

  private static RebalanceDecision decide(RebalanceInput input, Slices slices) {
    List<StageFacts> stages =
        input.budget().stages().stream().map(stage -> StageFacts.of(stage, slices)).toList();
    Verdict verdict = Verdict.judge(input, slices, stages);
    List<Demand> demands = new ArrayList<>();
    Duration pool = pool(input);
    for (StageFacts facts : stages) {
      Duration cap = facts.stage().cap();
      if (cap != null && facts.stage().type() != StageType.GENERATE) {
        demands.add(Demand.of(facts, cap, input.policy(), pool));
      }
    }
    RoundFigures figures = Figures.of(slices, stages, demands, verdict);
    if (!verdict.measured()) {
      return held(input, verdict, figures);
    }
    Plain plain = Plain.of(input, demands, pool);
    Optional<MaxQuality> quality =
        Evidence.of(input.budget(), slices, QualitySearch.fine(input.budget()))
            .map(evidence -> new MaxQuality(input.budget(), input.policy(), evidence));
    if (quality.isEmpty()) {
      return input.policy().rule() == RebalancePolicy.Rule.MAX_QUALITY
          ? held(input, new Verdict(Reasons.TOO_FEW_SAMPLES, NO_LAW), figures)
          : decide(input, figures, plain.proposal());
    }
    MaxQuality.Step step = quality.get().step();
    RoundFigures foreseen = figures.with(forecasts(input, quality.get(), step, plain));
    return decide(
        input,
        foreseen,
        input.policy().rule() == RebalancePolicy.Rule.MAX_QUALITY
            ? proposal(step, input.policy())
            : plain.proposal());
  }

  private static RebalanceDecision held(
      RebalanceInput input, Verdict verdict, RoundFigures figures) {
    if (input.policy().mode() == RebalancePolicy.Mode.DISABLED) {
      return disabled(figures);
    }
    return new RebalanceDecision.Hold(verdict.reason(), "caps stay: " + verdict.message(), figures);
  }

  private static RebalanceDecision disabled(RoundFigures figures) {
    return new RebalanceDecision.Hold(Reasons.DISABLED, "rebalancing is switched off", figures);
  }

  /** What the guards make of what a rule asks for. */
  private static RebalanceDecision decide(
      RebalanceInput input, RoundFigures figures, Proposal proposal) {
    RebalancePolicy policy = input.policy();
    if (policy.mode() == RebalancePolicy.Mode.DISABLED) {
      return disabled(figures);
    }
    if (proposal.changes().isEmpty() || !proposal.worthIt()) {
      return new RebalanceDecision.Hold(Reasons.IN_BALANCE, proposal.whyNot(), figures);
    }
    List<CapChange> changes = proposal.changes();
    String message = summary(changes) + "; " + proposal.effect();
    if (policy.mode() == RebalancePolicy.Mode.RECOMMEND) {
      return new RebalanceDecision.Recommend(Reasons.RECOMMENDING, message, changes, figures);
    }
    Instant lastMove = input.lastMove();
    if (lastMove != null && input.now().isBefore(lastMove.plus(policy.cooldown()))) {
      return new RebalanceDecision.Hold(
          Reasons.COOLING_DOWN,
          "caps stay until "
              + lastMove.plus(policy.cooldown())
              + ", a cooldown after the last move",
          figures);
    }
    return new RebalanceDecision.Move(Reasons.REBALANCED, message, changes, figures);
  }

  private static Proposal proposal(MaxQuality.Step step, RebalancePolicy policy) {
    String whyNot =
        step.changes().isEmpty()
            ? "no caps within their ranges would give more full answers"
            : String.format(
                Locale.ROOT,
                "no change beyond the dead band of %.0f %% and the sampling error",
                policy.deadBand() * 100);
    return new Proposal(step.changes(), step.worthIt(), step.summary(), whyNot);
  }

  private static Forecasts forecasts(
      RebalanceInput input, MaxQuality quality, MaxQuality.Step step, Plain plain) {
    QualitySearch search = quality.search();
    Attribution attribution =
        Attribution.of(
            search,
            input.budget().stages().stream().map(StageBudget::name).toList(),
            input.budget().total());
    Proposal proposal = plain.proposal();
    return new Forecasts(
        step.before(),
        search.model().ceiling(),
        attribution.stage(),
        attribution.remedy(),
        List.of(
            new Forecasts.OfRule(
                RebalancePolicy.Rule.P95_HEADROOM,
                proposal.worthIt() ? quality.forecast(plain.caps()) : step.before(),
                proposal.worthIt() ? proposal.changes() : List.of()),
            new Forecasts.OfRule(
                RebalancePolicy.Rule.MAX_QUALITY,
                step.worthIt() ? step.after() : step.before(),
                step.worthIt() ? step.changes() : List.of())));
  }

  /** Total − reserve − the floors of generate: what the caps of the other stages may take. */
  private static Duration pool(RebalanceInput input) {
    Duration pool = input.budget().total().minus(input.budget().reserve());
    for (StageBudget stage : input.budget().stages()) {
      if (stage.type() == StageType.GENERATE) {
        pool = pool.minus(stage.floor());
      }
    }
    return pool;
  }

  private static String summary(List<CapChange> changes) {
    StringBuilder text = new StringBuilder();
    for (CapChange change : changes) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(change.stage())
          .append(change.knob() == CapChange.Moved.HOLD_BACK ? " holds back " : " ")
          .append(Seconds.text(change.from()))
          .append(" → ")
          .append(Seconds.text(change.to()));
    }
    return text.toString();
  }
}
