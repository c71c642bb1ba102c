package dev.ragjourney.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Prints the budget's and the timer's figures as ratios to their peers, in one run of about two
 * minutes:
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *     -Dexec.args="-cp %classpath dev.ragjourney.bench.Figures"
 * </pre>
 */
public final class Figures {
  private Figures() {}

  public static void main(String[] args) throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(BudgetBench.class.getName())
                    .include(TimerBench.class.getName())
                    .forks(2)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(40)
                    .measurementTime(TimeValue.milliseconds(200))
                    .addProfiler(GCProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .jvmArgsAppend("-Xms512m", "-Xmx512m")
                    .build())
            .run();
    Map<String, RunResult> byName =
        results.stream().collect(Collectors.toMap(r -> r.getPrimaryResult().getLabel(), r -> r));
    System.out.printf(
        "%-22s %10s %8s   %-24s %10s   %s%n", "", "ns", "bytes", "peer", "ns", "ratio");
    row(byName, "sixStages", "oneCircuitBreakerCall", "at most 4");
    row(byName, "armAndDisarm", "failsafeTimeout", "at most 0.1");
    row(byName, "armAndDisarm", "timeLimiter", "no goal");
    row(byName, "armAndDisarm", "orTimeout", "no goal");
  }

  private static void row(Map<String, RunResult> results, String ours, String peer, String goal) {
    double nanos = nanos(results.get(ours));
    double peers = nanos(results.get(peer));
    System.out.printf(
        Locale.ROOT,
        "%-22s %10.1f %8.1f   %-24s %10.1f   %.3f (%s)%n",
        ours,
        nanos,
        bytes(results.get(ours)),
        peer,
        peers,
        nanos / peers,
        goal);
  }

  /** The median of many short iterations: other work on the machine falls on few of them. */
  private static double nanos(RunResult result) {
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }

  private static double bytes(RunResult result) {
    return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
  }
}
