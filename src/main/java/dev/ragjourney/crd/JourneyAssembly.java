package dev.ragjourney.crd;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.Documents;
import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.BudgetSpec;
import dev.ragjourney.crd.spec.DocumentsSpec;
import dev.ragjourney.crd.spec.DrillSpec;
import dev.ragjourney.crd.spec.ExpectedLatency;
import dev.ragjourney.crd.spec.HttpBackend;
import dev.ragjourney.crd.spec.LevelSpec;
import dev.ragjourney.crd.spec.ObjectiveSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.SemanticCacheSpec;
import dev.ragjourney.crd.spec.StageSpec;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A spec without findings, in the domain's terms. */
final class JourneyAssembly {
  private static final double MISS_RATIO = 0.01;
  private static final double DEGRADED_RATIO = 0.1;

  private JourneyAssembly() {}

  static ParsedJourney assemble(RagJourneySpec spec) {
    BudgetSpec budget = Values.given(spec.budget());
    Duration total = BudgetRules.total(budget);
    Defaults defaults = new Defaults(total);
    Duration reserve = Values.duration(budget.reserve(), defaults.reserve());

    List<StageSpec> stageSpecs = DefaultStages.orGiven(spec);
    List<StageAssembly> stages =
        stageSpecs.stream()
            .map(
                stage ->
                    new StageAssembly(
                        stage,
                        defaults,
                        InitialEstimate.cap(url(stage, spec), decision(stageSpecs), total),
                        RankerTime.of(stage, spec)))
            .toList();
    Duration mostForCaps = mostForCaps(total.minus(reserve), stages);
    Map<String, CapRange> capRanges = new LinkedHashMap<>();
    for (StageAssembly stage : stages) {
      CapRange range = stage.capRange(mostForCaps);
      if (range != null) {
        capRanges.put(stage.name(), range);
      }
    }
    LevelAssembly levels = new LevelAssembly(spec, stages, defaults, reserve);
    List<ParsedStage> forms = levels.stages();
    Objective objective = objective(spec.objective());
    return new ParsedJourney(
        new JourneyBudget(
            total,
            RebalanceAssembly.labelled(
                CountTo.values(), CountTo::label, budget.countTo(), CountTo.FIRST_TOKEN),
            reserve,
            Values.duration(budget.lastTokenMargin(), defaults.lastTokenMargin()),
            Values.duration(budget.streamIdle(), Defaults.STREAM_IDLE),
            Values.duration(budget.streamMax(), Defaults.STREAM_MAX),
            stages.stream().map(stage -> stage.budget(mostForCaps)).toList(),
            levels.budgetLevels()),
        RebalanceAssembly.assemble(spec.rebalance(), objective.missRatio(), capRanges),
        objective,
        forms,
        levels.parsedLevels(),
        BackendAssembly.assemble(Values.list(spec.backends()), used(forms)),
        documents(spec.documents()),
        WorkloadAssembly.assemble(spec.workload()),
        MonitoringAssembly.assemble(spec.monitoring()),
        levels.staticMessage(),
        Defaults.DEGRADED_HINT,
        stageSpecs.stream().anyMatch(stage -> "Refuse".equals(stage.whenNoContext())),
        policy(spec),
        List.of(Defaults.WARM_UP));
  }

  private static @Nullable String url(StageSpec stage, RagJourneySpec spec) {
    return Values.list(spec.backends()).stream()
        .filter(backend -> backend.name() != null && backend.name().equals(stage.backend()))
        .map(BackendSpec::http)
        .filter(Objects::nonNull)
        .map(HttpBackend::url)
        .findFirst()
        .orElse(null);
  }

  /** What the model takes to decide: a rewrite's expected median, else Generate's. */
  private static @Nullable Duration decision(List<StageSpec> stages) {
    for (StageType type : List.of(StageType.REWRITE, StageType.GENERATE)) {
      for (StageSpec stage : stages) {
        ExpectedLatency expected = stage.expected();
        if (DefaultStages.type(stage) == type && expected != null && expected.p50() != null) {
          return Values.duration(expected.p50());
        }
      }
    }
    return null;
  }

  /** No default takes a cap above total − reserve − the floor of Generate. */
  private static Duration mostForCaps(Duration withoutReserve, List<StageAssembly> stages) {
    Duration floor =
        stages.stream()
            .filter(StageAssembly::generates)
            .map(StageAssembly::floor)
            .findFirst()
            .orElse(Duration.ZERO);
    return Values.max(withoutReserve.minus(floor), Duration.ofMillis(1));
  }

  private static Set<String> used(List<ParsedStage> stages) {
    Set<String> names = new LinkedHashSet<>();
    for (ParsedStage stage : stages) {
      stage.forms().forEach(form -> names.add(form.backend()));
      if (stage.fallback() != null) {
        names.add(stage.fallback().backend());
      }
      if (stage.speculative() != null) {
        names.add(stage.speculative().backend());
      }
    }
    return names;
  }

  private static JourneyPolicy policy(RagJourneySpec spec) {
    DrillSpec drill = spec.drill();
    return new JourneyPolicy(
        RebalanceAssembly.labelled(
            Enforcement.values(), Enforcement::label, spec.enforcement(), Enforcement.ENFORCE),
        drill != null,
        drill == null ? 0 : Values.share(drill.share(), 0),
        answerCache(spec),
        new LearningPolicy(RebalanceAssembly.lateSampling(spec.rebalance()), Defaults.PROBED));
  }

  /** A level that answers from the cache needs no more to have one. */
  private static @Nullable AnswerCachePolicy answerCache(RagJourneySpec spec) {
    SemanticCacheSpec cache = spec.semanticCache();
    LevelSpec level = LevelRules.cached(Values.list(spec.fallbackLevels()));
    if (cache == null && level == null) {
      return null;
    }
    Integer maxEntries = cache == null ? null : cache.maxEntries();
    return new AnswerCachePolicy(
        maxEntries == null ? Defaults.CACHE_ENTRIES : maxEntries,
        Values.duration(cache == null ? null : cache.ttl(), Defaults.CACHE_TTL),
        Values.share(level == null ? null : level.minSimilarity(), Defaults.CACHE_SIMILARITY),
        cache != null && Values.isTrue(cache.upFront()));
  }

  private static Objective objective(@Nullable ObjectiveSpec spec) {
    return spec == null
        ? new Objective(MISS_RATIO, DEGRADED_RATIO)
        : new Objective(
            Values.share(spec.missRatio(), MISS_RATIO),
            Values.share(spec.degradedRatio(), DEGRADED_RATIO));
  }

  private static @Nullable Documents documents(@Nullable DocumentsSpec spec) {
    if (spec == null) {
      return null;
    }
    if (spec.configMap() != null) {
      return new Documents.FromConfigMap(Values.given(spec.configMap().name()));
    }
    return new Documents.FromClaim(
        Values.given(Values.given(spec.persistentVolumeClaim()).claimName()));
  }
}
