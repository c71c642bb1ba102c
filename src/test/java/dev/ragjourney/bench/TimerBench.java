package dev.ragjourney.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Timeout;
import dev.failsafe.function.CheckedSupplier;
import dev.ragjourney.pipeline.DeadlineTimer;
import dev.ragjourney.pipeline.Machinery;
import io.github.resilience4j.timelimiter.TimeLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Arming and disarming a stage's deadline, next to what others do for a time-out: Failsafe
 * interrupts the thread, the other two only complete a future.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimerBench {
  private static final long ALLOWANCE = 1_000_000_000;
  private static final CheckedSupplier<Integer> WORK = () -> 1;

  private final Machinery machinery = Machinery.real();
  private final DeadlineTimer timer = machinery.timer();
  private final Runnable cut = Thread.currentThread()::interrupt;
  private final FailsafeExecutor<Integer> failsafe =
      Failsafe.with(Timeout.<Integer>builder(Duration.ofNanos(ALLOWANCE)).withInterrupt().build());

  private final TimeLimiter limiter = TimeLimiter.of(Duration.ofNanos(ALLOWANCE));
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  @TearDown
  public void stop() {
    scheduler.shutdownNow();
    machinery.close();
  }

  @Benchmark
  public void armAndDisarm() {
    timer.arm(System.nanoTime() + ALLOWANCE, cut).disarm();
  }

  @Benchmark
  public int failsafeTimeout() {
    return failsafe.get(WORK);
  }

  @Benchmark
  public Integer timeLimiter() {
    CompletableFuture<Integer> work = new CompletableFuture<>();
    CompletionStage<Integer> limited = limiter.executeCompletionStage(scheduler, () -> work);
    work.complete(1);
    return limited.toCompletableFuture().join();
  }

  @Benchmark
  public Integer orTimeout() {
    CompletableFuture<Integer> work = new CompletableFuture<>();
    CompletableFuture<Integer> limited = work.orTimeout(ALLOWANCE, TimeUnit.NANOSECONDS);
    work.complete(1);
    return limited.join();
  }
}
