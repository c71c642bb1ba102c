package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.ratio;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Past rounds, made anew by both rules from the caps that the pods had. Durations as the resource
 * spells them, shares from 0 to 1.
 */
record History(
    String namespace, String journey, String figures, List<Round> rounds, Summary summary) {
  History {
    rounds = List.copyOf(rounds);
  }

  /**
   * One round.
   *
   * @param at its time, the end of the interval that was observed
   * @param verdict of the window that ends then; what follows is null unless it is Measured
   * @param caps that the pods had in the interval
   * @param inForceFull the share of full answers that those were expected to give, 0 to 1
   * @param inForceMissed and of missed ones
   */
  record Round(
      String at,
      Observed observed,
      String verdict,
      Map<String, String> caps,
      @Nullable Double inForceFull,
      @Nullable Double inForceMissed,
      List<Explanation.Rule> rules) {
    Round {
      rules = List.copyOf(rules);
    }
  }

  /** What was answered in one interval. */
  record Observed(
      long answers, @Nullable Double full, @Nullable Double degraded, @Nullable Double missed) {
    static Observed of(@Nullable WindowSlice slice) {
      Map<String, Double> answers = slice == null ? Map.of() : slice.answers();
      double all = answers.values().stream().mapToDouble(Double::doubleValue).sum();
      if (all <= 0) {
        return new Observed(0, null, null, null);
      }
      double full = answers.getOrDefault("full", 0.0);
      double degraded = answers.getOrDefault("degraded", 0.0);
      return new Observed(
          Math.round(all),
          ratio(full / all),
          ratio(degraded / all),
          ratio(Math.max(0, all - full - degraded) / all));
    }
  }

  /**
   * Means over the rounds that could be judged.
   *
   * @param full observed
   * @param forecast of the caps in force
   * @param rules what each rule's next move was expected to give, and how often it would have moved
   */
  record Summary(
      int rounds,
      int judged,
      @Nullable Double full,
      @Nullable Double forecast,
      List<RuleSummary> rules) {}

  /** One rule over all rounds. */
  record RuleSummary(String rule, int moves, @Nullable Double full, @Nullable Double missed) {}

  static History of(
      LoadedJourney journey, JourneyWindow history, Instant from, Instant to, URI prometheus) {
    RebalancePolicy policy = journey.parsed().rebalance();
    JourneyBudget budget = journey.inForce();
    List<Round> rounds = new ArrayList<>();
    for (Instant at = to; at.isAfter(from); at = at.minus(policy.interval())) {
      rounds.addFirst(round(journey, history, budget, policy, at));
    }
    return new History(
        journey.id().namespace(),
        journey.id().name(),
        "from %s to %s, from %s".formatted(from, to, prometheus),
        rounds,
        summary(rounds));
  }

  private static Round round(
      LoadedJourney journey,
      JourneyWindow history,
      JourneyBudget budget,
      RebalancePolicy policy,
      Instant at) {
    List<WindowSlice> window =
        history.slices().stream()
            .filter(slice -> slice.to().isAfter(at.minus(policy.window())))
            .filter(slice -> !slice.to().isAfter(at))
            .toList();
    WindowSlice newest =
        window.isEmpty() || !window.getLast().to().equals(at) ? null : window.getLast();
    JourneyBudget then = withCaps(LeftThen.at(at, budget, journey.status()), newest);
    RoundFigures figures =
        Rebalancer.decide(
                journey.past(
                    then,
                    policy,
                    new LatencyReading.Measured(Map.of(journey.id(), new JourneyWindow(window))),
                    at))
            .figures();
    Forecasts forecasts = figures.forecasts();
    Map<String, String> caps = new LinkedHashMap<>();
    for (StageBudget stage : then.stages()) {
      if (stage.cap() != null) {
        caps.put(stage.name(), Objects.requireNonNull(Shown.duration(stage.cap())));
      }
    }
    return new Round(
        at.toString(),
        Observed.of(newest),
        figures.metricsReason(),
        caps,
        forecasts == null ? null : ratio(forecasts.inForce().full()),
        forecasts == null ? null : ratio(forecasts.inForce().miss()),
        forecasts == null ? List.of() : forecasts.rules().stream().map(History::rule).toList());
  }

  private static Explanation.Rule rule(Forecasts.OfRule of) {
    return new Explanation.Rule(
        of.rule().label(),
        of.changes().stream().map(LastChanges::proposed).toList(),
        ratio(of.forecast().full()),
        ratio(of.forecast().miss()),
        null);
  }

  /** The caps that the pods had in an interval; the higher ones where they changed in it. */
  private static JourneyBudget withCaps(JourneyBudget budget, @Nullable WindowSlice slice) {
    if (slice == null) {
      return budget;
    }
    return budget.withStages(
        budget.stages().stream()
            .map(
                stage -> {
                  StageWindow seen = slice.stages().get(stage.name());
                  StageWindow.CapSpan caps = seen == null ? null : seen.caps();
                  return stage.cap() == null || caps == null
                      ? stage
                      : stage.withCap(caps.highest());
                })
            .toList());
  }

  private static Summary summary(List<Round> rounds) {
    List<Round> judged =
        rounds.stream().filter(round -> round.verdict().equals(RoundFigures.MEASURED)).toList();
    List<RuleSummary> rules = new ArrayList<>();
    for (RebalancePolicy.Rule rule : RebalancePolicy.Rule.values()) {
      List<Explanation.Rule> all =
          judged.stream()
              .flatMap(round -> round.rules().stream())
              .filter(of -> of.rule().equals(rule.label()))
              .toList();
      rules.add(
          new RuleSummary(
              rule.label(),
              (int) all.stream().filter(of -> !of.changes().isEmpty()).count(),
              mean(all, Explanation.Rule::full),
              mean(all, Explanation.Rule::missed)));
    }
    return new Summary(
        rounds.size(),
        judged.size(),
        mean(judged, round -> round.observed().full()),
        mean(judged, Round::inForceFull),
        rules);
  }

  private static <T> @Nullable Double mean(List<T> all, Function<T, @Nullable Double> figure) {
    OptionalDouble mean =
        all.stream().map(figure).filter(Objects::nonNull).mapToDouble(x -> x).average();
    return mean.isPresent() ? ratio(mean.getAsDouble()) : null;
  }
}
