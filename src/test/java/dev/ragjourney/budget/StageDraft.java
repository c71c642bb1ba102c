package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds a stage's budget, with durations as the resource spells them. */
public final class StageDraft {
  private final String name;
  private final StageType type;
  private boolean optional;
  private @Nullable String group;
  private @Nullable Duration cap;
  private @Nullable Duration declaredCap;
  private Duration floor = Duration.ZERO;
  private @Nullable Duration holdBack;
  private @Nullable Duration p50;
  private @Nullable Duration p95;
  private @Nullable Duration degradeAfter;
  private Duration minUseful = Duration.ofMillis(5);
  private @Nullable FallbackBudget fallback;
  private @Nullable RetryBudget retry;
  private @Nullable HedgeBudget hedge;
  private @Nullable BreakerBudget breaker;

  private StageDraft(String name, StageType type) {
    this.name = name;
    this.type = type;
  }

  public static StageDraft stage(String name, StageType type) {
    return new StageDraft(name, type);
  }

  public static StageDraft search() {
    return new StageDraft("search", StageType.SEARCH);
  }

  public static StageDraft embed() {
    return stage("embed", StageType.EMBED);
  }

  public static StageDraft rewrite() {
    return new StageDraft("rewrite", StageType.REWRITE).optional();
  }

  public static StageDraft rerank() {
    return new StageDraft("rerank", StageType.RERANK).optional();
  }

  public static StageDraft generate() {
    return new StageDraft("generate", StageType.GENERATE);
  }

  public StageDraft optional() {
    optional = true;
    return this;
  }

  public StageDraft group(String name) {
    group = name;
    return this;
  }

  public StageDraft cap(String duration) {
    cap = Durations.parse(duration);
    declaredCap = cap;
    return this;
  }

  /** The cap in force, where it is not the declared one. */
  public StageDraft rebalancedTo(String duration) {
    cap = Durations.parse(duration);
    return this;
  }

  public StageDraft floor(String duration) {
    floor = Durations.parse(duration);
    return this;
  }

  /** Set by rebalancing. */
  public StageDraft holdBack(String duration) {
    holdBack = Durations.parse(duration);
    return this;
  }

  public StageDraft expected(String median, String p95th) {
    p50 = Durations.parse(median);
    p95 = Durations.parse(p95th);
    return this;
  }

  public StageDraft degradeAfter(String duration) {
    degradeAfter = Durations.parse(duration);
    return this;
  }

  public StageDraft minUseful(String duration) {
    minUseful = Durations.parse(duration);
    return this;
  }

  public StageDraft fallback(String ownCap, String minRemaining) {
    return fallback(ownCap, minRemaining, 1, false);
  }

  public StageDraft fallback(
      String ownCap, String minRemaining, double maxRatio, boolean cancelPrimary) {
    fallback =
        new FallbackBudget(
            Durations.parse(ownCap), Durations.parse(minRemaining), maxRatio, cancelPrimary);
    return this;
  }

  public StageDraft retry(String backoffMin, String backoffMax, String... attemptCaps) {
    List<Duration> caps = Stream.of(attemptCaps).map(Durations::parse).toList();
    retry = new RetryBudget(caps, Durations.parse(backoffMin), Durations.parse(backoffMax), 1);
    return this;
  }

  /** After {@link #retry}. */
  public StageDraft retryShare(double maxRatio) {
    retry = new RetryBudget(retry.attemptCaps(), retry.backoffMin(), retry.backoffMax(), maxRatio);
    return this;
  }

  public StageDraft hedge(String after, int maxConcurrent, double maxRatio) {
    hedge = new HedgeBudget(Durations.parse(after), maxConcurrent, maxRatio);
    return this;
  }

  public StageDraft breaker(double slowRatio, double errorRatio, int window, String probeAfter) {
    breaker = new BreakerBudget(slowRatio, errorRatio, window, Durations.parse(probeAfter));
    return this;
  }

  public StageBudget budget() {
    return new StageBudget(
        name,
        type,
        optional,
        group,
        cap,
        declaredCap,
        floor,
        holdBack,
        p50,
        p95,
        degradeAfter,
        minUseful,
        fallback,
        retry,
        hedge,
        breaker);
  }
}
