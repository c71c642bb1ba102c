package dev.ragjourney.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.Deadline;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.Limit;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.slf4j.LoggerFactory;

/** The budget arithmetic of a journey of six stages, next to one call through a circuit breaker. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BudgetBench {
  private static final String TOTAL = "3s";
  private static final int STAGES = 6;
  private static final Supplier<Integer> WORK = () -> 1;

  private final BudgetTable table =
      BudgetDraft.of(TOTAL)
          .stages(
              StageDraft.rewrite().cap("400ms"),
              StageDraft.stage("embed", StageType.EMBED).cap("100ms"),
              StageDraft.search().cap("700ms").degradeAfter("300ms").fallback("500ms", "300ms"),
              StageDraft.stage("tool", StageType.TOOL).optional().cap("300ms"),
              StageDraft.rerank().cap("300ms"),
              StageDraft.generate().floor("1s").fallback("500ms", "300ms"))
          .level("full", "1s500ms", List.of())
          .level("fast", "700ms", List.of("rerank"))
          .table();
  private final Deadline deadline =
      Deadline.of(System.nanoTime(), Durations.parse(TOTAL).toNanos(), null);
  private final Buckets[] histograms = new Buckets[STAGES];
  private final CircuitBreaker breaker = CircuitBreaker.ofDefaults("peer");

  /** Log-spaced counts, as a pod keeps them for each stage. */
  private static final class Buckets {
    private final long[] upperNanos =
        LatencyBoundaries.of(Durations.parse(TOTAL)).stream()
            .mapToLong(seconds -> (long) (seconds * 1e9))
            .toArray();
    private final AtomicLongArray counts = new AtomicLongArray(upperNanos.length + 1);

    void record(long nanos) {
      int low = 0;
      int high = upperNanos.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (nanos <= upperNanos[middle]) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      counts.getAndIncrement(low);
    }
  }

  /** What the peer would log at every call is not the call's cost. */
  @Setup
  public void quiet() {
    ((Logger) LoggerFactory.getLogger("io.github.resilience4j")).setLevel(Level.WARN);
  }

  public BudgetBench() {
    for (int i = 0; i < STAGES; i++) {
      histograms[i] = new Buckets();
    }
  }

  /** At every stage: the clock, the level, the allowance, the fail-over, and the histogram. */
  @Benchmark
  public long sixStages() {
    long sum = 0;
    int level = 0;
    long before = deadline.arrivalNanos();
    for (int stage = 0; stage < STAGES; stage++) {
      long now = System.nanoTime();
      long remaining = deadline.totalNanos() - ((now - deadline.arrivalNanos()) & 0xFFFFF);
      level = table.level(stage, level, remaining);
      if (table.limit(stage, level, remaining, deadline.k()) != Limit.NO_TIME) {
        long failOver = table.failOver(stage, level, remaining, deadline.k());
        sum += table.allowance(stage, level, remaining, deadline.k());
        sum += table.endWithFallback(stage, level, remaining, failOver, deadline.k());
      }
      histograms[stage].record(now - before);
      before = now;
    }
    return sum;
  }

  @Benchmark
  public int oneCircuitBreakerCall() {
    return breaker.executeSupplier(WORK);
  }
}
