package dev.ragjourney.telemetry;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.pipeline.JourneyListener.BackendCall;
import dev.ragjourney.pipeline.JourneyListener.TokensUsed;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Single calls of backends, whatever role they had, and the tokens they used. */
final class BackendMetrics {
  private static final List<String> TOKEN_KINDS = List.of("input", "output");

  private final String namespace;
  private final String journey;
  private final Family<Histogram.Child> calls;
  private final Family<Histogram.Child> fallbacks;
  private final Family<Counter.Child> tokens;
  private volatile Map<String, BackendPlan> backends = Map.of();
  private volatile Map<String, String> operations = Map.of();

  BackendMetrics(Family.Context in, Plan plan) {
    namespace = plan.namespace();
    journey = plan.journey();
    calls =
        Family.histogram(
            in,
            Boundaries.coarse(plan.boundaries()),
            MetricNames.BACKEND_CALL,
            "Time of one call of a backend",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE,
            MetricNames.BACKEND,
            MetricNames.ROLE,
            MetricNames.PROVIDER,
            MetricNames.REGION,
            MetricNames.OPERATION,
            MetricNames.SIZE,
            MetricNames.OUTCOME);
    fallbacks =
        Family.histogram(
            in,
            plan.boundaries(),
            MetricNames.FALLBACK_DURATION,
            "Time of a stage's fallback call until it ended or was cut",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE,
            MetricNames.OUTCOME);
    tokens =
        Family.counter(
            in,
            MetricNames.TOKENS,
            "Tokens read and written by models, as they count them",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.BACKEND,
            MetricNames.KIND,
            MetricNames.WASTED);
  }

  void planLoaded(Plan plan) {
    backends =
        plan.backends().stream()
            .collect(Collectors.toUnmodifiableMap(BackendPlan::name, Function.identity()));
    operations =
        plan.budget().stages().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    StageBudget::name, stage -> stage.type().label().toLowerCase(Locale.ROOT)));
    calls.keep(
        labels -> operations.containsKey(labels.get(2)) && backends.containsKey(labels.get(3)));
    fallbacks.keep(labels -> operations.containsKey(labels.get(2)));
    tokens.keep(labels -> backends.containsKey(labels.get(2)));
    for (int i = 0; i < plan.stages().size(); i++) {
      StagePlan stage = plan.stages().get(i);
      StageBudget budget = plan.budget().stages().get(i);
      for (VariantPlan form : stage.variants()) {
        create(stage.name(), form, StageCall.Role.PRIMARY);
      }
      if (budget.retry() != null) {
        create(stage.name(), stage.variants().getFirst(), StageCall.Role.RETRY);
      }
      if (budget.hedge() != null) {
        create(stage.name(), stage.variants().getFirst(), StageCall.Role.HEDGE);
      }
      if (stage.fallback() != null) {
        create(stage.name(), stage.fallback(), StageCall.Role.FALLBACK);
        fallbacks.create(fallbackLabels(stage.name(), StageOutcome.SUCCESS));
      }
      if (stage.speculative() != null) {
        create(stage.name(), stage.speculative(), StageCall.Role.SPECULATIVE);
      }
    }
  }

  private void create(String stage, VariantPlan form, StageCall.Role role) {
    calls.create(callLabels(stage, form.backend(), role, StageOutcome.SUCCESS));
    if (isModel(form.backend()) && "generate".equals(operations.get(stage))) {
      for (String kind : TOKEN_KINDS) {
        tokens.create(tokenLabels(form.backend(), kind, false));
        tokens.create(tokenLabels(form.backend(), kind, true));
      }
    }
  }

  /** The embedded generator cites sentences: it uses no tokens. */
  private boolean isModel(String backend) {
    BackendPlan plan = backends.get(backend);
    return plan != null && !plan.kind().equals("embedded");
  }

  boolean knows(String backend) {
    return backends.containsKey(backend);
  }

  void called(BackendCall call) {
    calls.record(
        callLabels(call.stage(), call.backend(), call.role(), call.outcome()),
        child -> child.observe(call.elapsedNanos() / 1e9));
    if (call.role() == StageCall.Role.FALLBACK) {
      fallbacks.record(
          fallbackLabels(call.stage(), call.outcome()),
          child -> child.observe(call.elapsedNanos() / 1e9));
    }
  }

  private List<String> fallbackLabels(String stage, StageOutcome outcome) {
    return List.of(namespace, journey, stage, outcome.label());
  }

  void tokensUsed(TokensUsed used) {
    count(used, TOKEN_KINDS.getFirst(), used.completion().inputTokens());
    count(used, TOKEN_KINDS.getLast(), used.completion().outputTokens());
  }

  private void count(TokensUsed used, String kind, @Nullable Integer number) {
    if (number != null && number > 0) {
      tokens.record(tokenLabels(used.backend(), kind, used.wasted()), child -> child.inc(number));
    }
  }

  private List<String> callLabels(
      String stage, String backend, StageCall.Role role, StageOutcome outcome) {
    BackendPlan plan = backends.get(backend);
    Map<String, String> labels = plan == null ? Map.of() : plan.labels();
    return List.of(
        namespace,
        journey,
        stage,
        backend,
        role.label(),
        labels.getOrDefault("provider", ""),
        labels.getOrDefault("region", ""),
        operations.getOrDefault(stage, ""),
        "",
        outcome.label());
  }

  private List<String> tokenLabels(String backend, String kind, boolean wasted) {
    return List.of(namespace, journey, backend, kind, Boolean.toString(wasted));
  }
}
