package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.BackoffSpec;
import dev.ragjourney.crd.spec.BreakerSpec;
import dev.ragjourney.crd.spec.CapRangeSpec;
import dev.ragjourney.crd.spec.ExpectedLatency;
import dev.ragjourney.crd.spec.HedgeSpec;
import dev.ragjourney.crd.spec.PromptSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.RetrySpec;
import dev.ragjourney.crd.spec.StageFallbackSpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of one stage against each other and against the total. */
final class StageRules {
  private static final Set<StageType> SKIPPABLE =
      EnumSet.of(StageType.REWRITE, StageType.RERANK, StageType.TOOL);
  private static final Set<StageType> PASSAGES = EnumSet.of(StageType.SEARCH, StageType.RERANK);
  private static final Set<StageType> PROMPTED = EnumSet.of(StageType.REWRITE, StageType.GENERATE);
  private static final Set<StageType> SAFE_READS =
      EnumSet.of(StageType.EMBED, StageType.SEARCH, StageType.RERANK);

  private final String path;
  private final StageSpec stage;
  private final StageType type;
  private final Duration total;
  private final Duration rankerTime;
  private final Findings findings;

  private StageRules(
      String path, StageSpec stage, Duration total, Duration rankerTime, Findings findings) {
    this.path = path;
    this.stage = stage;
    this.type = DefaultStages.type(stage);
    this.total = total;
    this.rankerTime = rankerTime;
    this.findings = findings;
  }

  static void check(RagJourneySpec spec, Findings findings) {
    Duration total = BudgetRules.total(Values.given(spec.budget()));
    List<StageSpec> stages = Values.list(spec.stages());
    for (int i = 0; i < stages.size(); i++) {
      StageSpec stage = stages.get(i);
      new StageRules("spec.stages[" + i + "]", stage, total, RankerTime.of(stage, spec), findings)
          .check();
    }
  }

  private void check() {
    onlyFor("optional", Values.isTrue(stage.optional()) ? true : null, SKIPPABLE);
    onlyFor("topK", stage.topK(), PASSAGES);
    onlyFor("speculative", stage.speculative(), EnumSet.of(StageType.SEARCH));
    onlyFor("prompt", stage.prompt(), PROMPTED);
    onlyFor("maxTokens", stage.maxTokens(), PROMPTED);
    onlyFor("maxContextTokens", stage.maxContextTokens(), EnumSet.of(StageType.GENERATE));
    onlyFor("whenNoContext", stage.whenNoContext(), EnumSet.of(StageType.GENERATE));
    onlyFor("hedge", stage.hedge(), SAFE_READS);
    times();
    capRange(stage.capRange());
    prompt(stage.prompt());
    fallback(stage.fallback());
    retry(stage.retry());
    hedge(stage.hedge());
    breaker(stage.breaker());
  }

  private void times() {
    notAbove("cap", stage.cap(), "budget.total", total);
    enoughForRanker("cap", stage.cap());
    Duration cap = Values.duration(stage.cap());
    notAbove("floor", stage.floor(), "cap", cap);
    if (stage.degradeAfter() != null && cap != null) {
      Duration degradeAfter = Values.duration(stage.degradeAfter(), cap);
      if (degradeAfter.compareTo(cap) >= 0) {
        findings.conflict(
            path + ".degradeAfter",
            "degradeAfter %s is not below cap %s; fail-over must come before the cut."
                .formatted(stage.degradeAfter(), stage.cap()));
      }
    }
    ExpectedLatency expected = stage.expected();
    if (expected != null) {
      notAbove("expected.p50", expected.p50(), "expected.p95", Values.duration(expected.p95()));
    }
  }

  private void capRange(@Nullable CapRangeSpec range) {
    if (range == null) {
      return;
    }
    Duration cap = Values.duration(stage.cap());
    if (type == StageType.GENERATE && cap == null) {
      findings.conflict(
          path + ".capRange",
          "capRange bounds a cap, and a Generate stage without cap takes what remains; give cap or leave capRange out.");
    }
    Duration max = Values.duration(range.max());
    enoughForRanker("capRange.min", range.min());
    enoughForRanker("capRange.max", range.max());
    notAbove("capRange.min", range.min(), "capRange.max", max);
    notAbove("capRange.min", range.min(), "cap", cap);
    notAbove("capRange.max", range.max(), "budget.total", total);
    notAbove("cap", stage.cap(), "capRange.max", max);
    notAbove("floor", stage.floor(), "capRange.max", max);
  }

  private void prompt(@Nullable PromptSpec prompt) {
    if (prompt == null) {
      return;
    }
    if (prompt.instructions() != null && prompt.instructionsFrom() != null) {
      findings.conflict(
          path + ".prompt", "instructions and instructionsFrom are both given; keep one.");
    }
    onlyFor(
        "prompt.noContextInstructions",
        prompt.noContextInstructions(),
        EnumSet.of(StageType.GENERATE));
  }

  private void fallback(@Nullable StageFallbackSpec fallback) {
    if (fallback == null) {
      return;
    }
    onlyFor("fallback.mode", fallback.mode(), EnumSet.of(StageType.SEARCH));
    notAbove("fallback.cap", fallback.cap(), "budget.total", total);
    notAbove("fallback.minRemaining", fallback.minRemaining(), "budget.total", total);
    boolean sameBackend =
        fallback.backend() == null
            || fallback
                .backend()
                .equals(stage.backend() == null ? ParsedBackend.EMBEDDED : stage.backend());
    if (sameBackend && fallback.mode() == null) {
      findings.conflict(
          path + ".fallback",
          "the fallback is the same call as the primary; give it another backend or a mode.");
    }
  }

  private void retry(@Nullable RetrySpec retry) {
    if (retry == null) {
      return;
    }
    Duration cap = Values.duration(stage.cap());
    List<String> caps = Values.list(retry.attemptCaps());
    for (int i = 0; i < caps.size(); i++) {
      notAbove("retry.attemptCaps[" + i + "]", caps.get(i), "cap", cap);
    }
    BackoffSpec backoff = retry.backoff();
    if (backoff != null) {
      notAbove(
          "retry.backoff.min", backoff.min(), "retry.backoff.max", Values.duration(backoff.max()));
    }
  }

  private void hedge(@Nullable HedgeSpec hedge) {
    if (hedge == null) {
      return;
    }
    below("hedge.after", hedge.after(), "cap", Values.duration(stage.cap()));
    RetrySpec retry = stage.retry();
    if (retry != null && !Values.list(retry.attemptCaps()).isEmpty()) {
      below(
          "hedge.after",
          hedge.after(),
          "retry.attemptCaps[0]",
          Values.duration(Values.list(retry.attemptCaps()).getFirst()));
    }
  }

  private void breaker(@Nullable BreakerSpec breaker) {
    if (breaker != null) {
      aboveZero("breaker.slowRatio", breaker.slowRatio());
      aboveZero("breaker.errorRatio", breaker.errorRatio());
    }
  }

  private void aboveZero(String field, @Nullable String share) {
    if (share != null && Values.share(share, 0) == 0) {
      findings.conflict(
          path + "." + field,
          "%s 0%% would open the breaker without any bad call; above 0%% is right."
              .formatted(field));
    }
  }

  private void onlyFor(String field, @Nullable Object value, Set<StageType> types) {
    if (value != null && !types.contains(type)) {
      findings.conflict(
          path + "." + field,
          "%s is for a stage of type %s; '%s' is a %s."
              .formatted(
                  field,
                  Arrays.stream(StageType.values())
                      .filter(types::contains)
                      .map(StageType::label)
                      .collect(Collectors.joining(" or ")),
                  stage.name(),
                  type.label()));
    }
  }

  private void enoughForRanker(String field, @Nullable String value) {
    if (value != null && Values.duration(value, rankerTime).compareTo(rankerTime) < 0) {
      findings.conflict(
          path + "." + field,
          "%s %s leaves no time for the semantic ranker of '%s': its rankerMaxWait and %s for the search come to %s; at least %s is right."
              .formatted(
                  field,
                  value,
                  stage.backend(),
                  format(RankerTime.SEARCH),
                  format(rankerTime),
                  format(rankerTime)));
    }
  }

  private void below(
      String field, @Nullable String value, String limitField, @Nullable Duration limit) {
    if (value != null && limit != null && Values.duration(value, limit).compareTo(limit) >= 0) {
      findings.conflict(
          path + "." + field,
          "%s %s is not below %s %s; the second copy must start before the first is cut."
              .formatted(field, value, limitField, format(limit)));
    }
  }

  private void notAbove(
      String field, @Nullable String value, String limitField, @Nullable Duration limit) {
    if (value != null && limit != null && Values.duration(value, limit).compareTo(limit) > 0) {
      findings.conflict(
          path + "." + field,
          "%s %s is above %s %s; at most %s is right."
              .formatted(field, value, limitField, format(limit), format(limit)));
    }
  }
}
