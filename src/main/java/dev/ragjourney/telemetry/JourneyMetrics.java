package dev.ragjourney.telemetry;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.util.List;
import java.util.stream.IntStream;

/** How journeys came out, and how long they took. */
final class JourneyMetrics {
  private static final String OWN = "own";
  private static final String CALLER = "caller";

  private final String namespace;
  private final String journey;
  private final Family<Histogram.Child> duration;
  private final Family<Histogram.Child> total;
  private final Family<Histogram.Child> firstToken;
  private final Family<Histogram.Child> remainingAtGenerate;
  private final Family<Counter.Child> answers;

  JourneyMetrics(Family.Context in, Plan plan) {
    namespace = plan.namespace();
    journey = plan.journey();
    List<Double> coarse = Boundaries.coarse(plan.boundaries());
    double budgetSeconds = plan.budget().total().toNanos() / 1e9;
    duration =
        Family.histogram(
            in,
            plan.boundaries(),
            MetricNames.JOURNEY_DURATION,
            "Time counted against the budget: to the first or to the last token",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.OUTCOME,
            MetricNames.LEVEL);
    total =
        Family.histogram(
            in,
            coarse,
            MetricNames.JOURNEY_TOTAL,
            "Time from arrival to the end of the answer",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.OUTCOME,
            MetricNames.LEVEL);
    firstToken =
        Family.histogram(
            in,
            coarse,
            MetricNames.FIRST_TOKEN,
            "Time from arrival to the first content",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.LEVEL);
    remainingAtGenerate =
        Family.histogram(
            in,
            IntStream.rangeClosed(1, 20).mapToObj(i -> budgetSeconds * i / 20).toList(),
            MetricNames.REMAINING_AT_GENERATE,
            "Budget left when the generate stage is reached",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY);
    answers =
        Family.counter(
            in,
            MetricNames.ANSWERS,
            "Answers given",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.OUTCOME,
            MetricNames.LEVEL,
            MetricNames.DEADLINE);
  }

  /** Shows at zero what this plan will count; a level that is not in it is not shown any more. */
  void planLoaded(Plan plan) {
    List<FallbackLevel> levels = plan.budget().levels();
    List<String> names = levels.stream().map(FallbackLevel::name).toList();
    duration.keep(labels -> names.contains(labels.get(3)));
    total.keep(labels -> names.contains(labels.get(3)));
    answers.keep(labels -> names.contains(labels.get(3)));
    firstToken.keep(labels -> names.contains(labels.get(2)));
    remainingAtGenerate.create(List.of(namespace, journey));
    for (Outcome outcome : Outcome.values()) {
      for (String level : names) {
        answers.create(List.of(namespace, journey, outcome.label(), level, OWN));
        answers.create(List.of(namespace, journey, outcome.label(), level, CALLER));
      }
    }
    createTimes(Outcome.FULL, levels.getFirst().name());
    for (FallbackLevel level : levels) {
      boolean answersItself = level.answer() == AnswerSource.STATIC;
      createTimes(answersItself ? Outcome.STATIC : Outcome.DEGRADED, level.name());
      if (!answersItself) {
        firstToken.create(List.of(namespace, journey, level.name()));
      }
    }
  }

  private void createTimes(Outcome outcome, String level) {
    duration.create(List.of(namespace, journey, outcome.label(), level));
    total.create(List.of(namespace, journey, outcome.label(), level));
  }

  void generateReached(long remainingNanos) {
    remainingAtGenerate.record(
        List.of(namespace, journey), child -> child.observe(remainingNanos / 1e9));
  }

  void ended(Route route, Question question, Answer answer) {
    String outcome = answer.outcome().label();
    String level = answer.levelName();
    Long first = answer.firstTokenNanos();
    boolean toFirst = route.budget().countTo() == CountTo.FIRST_TOKEN;
    long counted = toFirst && first != null ? first : answer.latencyNanos();
    duration.record(
        List.of(namespace, journey, outcome, level), child -> child.observe(counted / 1e9));
    total.record(
        List.of(namespace, journey, outcome, level),
        child -> child.observe(answer.latencyNanos() / 1e9));
    if (first != null) {
      firstToken.record(List.of(namespace, journey, level), child -> child.observe(first / 1e9));
    }
    answers.record(
        List.of(namespace, journey, outcome, level, deadline(route, question)), Counter.Child::inc);
  }

  private static String deadline(Route route, Question question) {
    Long caller = question.callerRemainingNanos();
    return caller != null && caller < route.budget().total().toNanos() ? CALLER : OWN;
  }
}
