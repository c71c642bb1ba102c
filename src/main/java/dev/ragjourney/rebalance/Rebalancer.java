package dev.ragjourney.rebalance;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One round for one journey: verdict on the data, rule, limits, decision with reason. */
public final class Rebalancer {
  static final String NO_LAW = "too few calls to know how long some stage takes";

  private Rebalancer() {}

  public static RebalanceDecision decide(RebalanceInput input) {
    return switch (Verdict.find(input)) {
      case Verdict.Found.Nothing(Verdict verdict) ->
          new Guards(input, Slices.NONE, Figures.none(input.budget(), verdict)).held(verdict);
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
      return new Guards(input, slices, figures).held(verdict);
    }
    Plain plain = Plain.of(input, demands, pool);
    Slices ground = slices.ground(input.moves(), input.budget());
    Optional<Evidence> evidence =
        Evidence.of(input.budget(), ground, QualitySearch.fine(input.budget()));
    Hindsight hindsight = Hindsight.of(input, slices, stages, evidence);
    boolean best = input.policy().rule() == RebalancePolicy.Rule.MAX_QUALITY;
    if (evidence.isEmpty()) {
      Guards guards = new Guards(input, slices, figures);
      return best
          ? unwatched(input, slices, guards, hindsight)
          : guards.decide(ledger(plain.proposal(), stages, input), hindsight, null);
    }
    MaxQuality quality = new MaxQuality(input.budget(), input.policy(), evidence.get());
    MaxQuality.Step step = quality.step();
    LadderAdvice advice =
        LadderSearch.advise(
                input.budget().leaving(LeftOut.NOTHING),
                input.policy(),
                ground,
                evidence.get(),
                quality.search().whole())
            .orElse(null);
    Guards guards =
        new Guards(input, slices, figures.with(forecasts(input, quality, step, plain, advice)));
    LadderStep ladder = LadderStep.of(input, ground, evidence.get(), quality.search(), advice);
    if (ladder.proposal() != null) {
      return guards.decide(ledger(ladder.proposal(), stages, input), hindsight, ladder.expected());
    }
    Proposal proposal =
        ledger(best ? proposal(step, input.policy()) : plain.proposal(), stages, input)
            .because(ladder.whyNot());
    return guards.decide(
        proposal,
        hindsight,
        Comparison.of(
                quality.search(),
                evidence.get(),
                input.budget(),
                CapChange.carriedOut(input.budget(), proposal.changes()))
            .gain());
  }

  private static RebalanceDecision unwatched(
      RebalanceInput input, Slices slices, Guards guards, Hindsight hindsight) {
    return LadderStep.unwatched(input, slices)
        .flatMap(step -> Optional.ofNullable(step.proposal()))
        .map(proposal -> guards.decide(proposal, hindsight, null))
        .orElseGet(() -> guards.held(new Verdict(Reasons.TOO_FEW_SAMPLES, NO_LAW)));
  }

  private static Proposal ledger(Proposal proposal, List<StageFacts> stages, RebalanceInput input) {
    return new Proposal(
        Ledger.withSamples(proposal.changes(), stages, input.policy().rule()),
        proposal.ladder(),
        proposal.worthIt(),
        proposal.effect(),
        proposal.whyNot());
  }

  private static Proposal proposal(MaxQuality.Step step, RebalancePolicy policy) {
    return new Proposal(step.changes(), step.worthIt(), step.summary(), Proposal.inBalance(policy));
  }

  private static Forecasts forecasts(
      RebalanceInput input,
      MaxQuality quality,
      MaxQuality.Step step,
      Plain plain,
      @Nullable LadderAdvice advice) {
    QualitySearch search = quality.search().whole();
    Attribution attribution =
        Attribution.of(
            search,
            input.budget().stages().stream().map(StageBudget::name).toList(),
            input.budget().total());
    Proposal proposal = plain.proposal();
    return new Forecasts(
        step.before(),
        search.model().ceiling(),
        attribution.costs(),
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
                step.worthIt() ? step.changes() : List.of())),
        advice);
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
}
