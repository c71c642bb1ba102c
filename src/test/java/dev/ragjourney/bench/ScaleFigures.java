package dev.ragjourney.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Prints what many journeys cost the operator and the API server: from nothing, at rest, after a
 * restart, and for new ones while rounds run. Wants a control plane of its own, whose controllers
 * it stops, since nobody runs the pods:
 *
 * <pre>
 * export RAGJOURNEY_TEST_KUBECONFIG=$(src/test/cluster/up control-plane)
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *     -Dexec.args="-Xmx1g -cp %classpath dev.ragjourney.bench.ScaleFigures 1000"
 * </pre>
 */
public final class ScaleFigures {
  private static final double MIB = 1 << 20;
  private static final int NEW_ONES = 100;
  private static final Duration PACE = Duration.ofMillis(100);
  private static final Duration REST = Duration.ofSeconds(5);

  private ScaleFigures() {}

  public static void main(String[] args) throws Exception {
    int journeys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
    Path kubeconfig = Path.of(System.getenv("RAGJOURNEY_TEST_KUBECONFIG"));
    for (String controller : List.of("kube-controller-manager", "kube-scheduler")) {
      String pid = Long.toString(pid(kubeconfig, controller));
      new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
    }
    Map<String, Long> pids = new LinkedHashMap<>();
    pids.put("this process", ProcessHandle.current().pid());
    for (String process : List.of("kube-apiserver", "etcd")) {
      pids.put(process, pid(kubeconfig, process));
    }
    try (ScaleRun run = new ScaleRun(kubeconfig, "scale")) {
      long started = System.nanoTime();
      run.create(0, journeys);
      print("%,d journeys created in %.1f s", journeys, seconds(started));
      print("  CPU: %s", cpu(pids));
      long heap = ScaleRun.heapBytes();

      started = System.nanoTime();
      run.startOperator();
      run.awaitWritten(journeys);
      double took = seconds(started);
      run.awaitRest(REST);
      print("from nothing: %.1f s, %.0f a second", took, journeys / took);
      print("  calls for each: %s", each(run.calls().take(), journeys));
      print("  reconciles for each: %.2f", run.reconciles() / journeys);
      print("  CPU: %s", cpu(pids));
      print("  heap: %.0f MiB", (ScaleRun.heapBytes() - heap) / MIB);

      Thread.sleep(Duration.ofSeconds(20)); // the behaviour under test
      print("at rest, 20 s: %s", run.calls().take());

      run.stopOperator();
      started = System.nanoTime();
      run.startOperator();
      double listed = seconds(started);
      run.awaitReconciles(journeys);
      print(
          "restart: lists there after %.1f s, all observed after %.1f s", listed, seconds(started));
      run.awaitRest(REST);
      print("  calls: %s", run.calls().take());
      print("  heap: %.0f MiB", (ScaleRun.heapBytes() - heap) / MIB);

      double before = run.reconciles();
      started = System.nanoTime();
      run.round();
      double decided = seconds(started);
      run.awaitReconciles(before + journeys);
      print(
          "a round: decided after %.1f s, all reconciled after %.1f s", decided, seconds(started));
      run.awaitRest(REST);
      print("  calls: %s", run.calls().take());

      AtomicBoolean over = new AtomicBoolean();
      Thread rounds = Thread.ofPlatform().daemon().start(() -> repeat(run, over));
      double[] millis = run.newOnes(journeys, NEW_ONES, PACE);
      over.set(true);
      rounds.join();
      print(
          "a new one while rounds run: p50 %.0f ms, p99 %.0f ms, worst %.0f ms",
          millis[millis.length / 2],
          millis[(int) (millis.length * 0.99) - 1],
          millis[millis.length - 1]);
      print("%,d Deployments", run.deployments());
    }
    System.exit(0);
  }

  /** One round after the other, each when the one before is carried out. */
  private static void repeat(ScaleRun run, AtomicBoolean over) {
    while (!over.get()) {
      run.round();
      run.awaitRest(Duration.ofMillis(200));
    }
  }

  private static String each(Map<String, Long> calls, int journeys) {
    StringBuilder text = new StringBuilder();
    calls.forEach(
        (call, number) ->
            text.append(String.format(Locale.ROOT, "%s %.2f, ", call, (double) number / journeys)));
    return text.toString();
  }

  private static long pid(Path kubeconfig, String process) throws IOException {
    return Long.parseLong(
        Files.readString(kubeconfig.resolveSibling("pid").resolve(process)).strip());
  }

  /** Seconds since each began. */
  private static String cpu(Map<String, Long> pids) {
    StringBuilder text = new StringBuilder();
    pids.forEach(
        (name, pid) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "%s %.1f s, ",
                    name,
                    ProcessHandle.of(pid)
                            .orElseThrow()
                            .info()
                            .totalCpuDuration()
                            .orElseThrow()
                            .toMillis()
                        / 1e3)));
    return text.toString();
  }

  private static double seconds(long started) {
    return (System.nanoTime() - started) / 1e9;
  }

  private static void print(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }
}
