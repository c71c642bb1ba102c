package dev.ragjourney.bench;

import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.prometheus.PrometheusLatencySource;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.support.prometheus.BackfilledPrometheus;
import dev.ragjourney.support.prometheus.LocalPrometheus;
import dev.ragjourney.support.prometheus.RealPrometheus;
import dev.ragjourney.support.prometheus.RecordedJourney;
import dev.ragjourney.support.prometheus.RecordedJourney.Law;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Prints what one round costs over many journeys in a real Prometheus: queries, bytes, time, heap,
 * and CPU of the server, of the reading and of the decisions. Takes some minutes, most of them to
 * fill the server. Arguments: journeys, stages of each (4 or more), pods of each.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *     -Dexec.args="--add-modules jdk.incubator.vector -Xmx1g -cp %classpath \
 *         dev.ragjourney.bench.RoundFigures 1000 8 2"
 * </pre>
 */
public final class RoundFigures {
  private static final int ROUNDS = 2;
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration SCRAPES = Duration.ofSeconds(150);
  private static final double MIB = 1 << 20;

  /** What a reading needs is measured, so nothing ends it. */
  private static final Duration ENOUGH = Duration.ofMinutes(30);

  private static final Map<String, Law> LAWS =
      Map.of(
          "embed", new Law(0.03, 0.3),
          "search", new Law(0.25, 0.4),
          "rerank", new Law(0.22, 0.4),
          "generate", new Law(0.9, 0.35));

  private static final Law TOOL = new Law(0.06, 0.4);

  private final int journeys;
  private final int pods;
  private final ParsedJourney parsed;

  private RoundFigures(int journeys, int stages, int pods) {
    this.journeys = journeys;
    this.pods = pods;
    this.parsed = parsed(stages);
  }

  public static void main(String[] args) throws IOException {
    int journeys = argument(args, 0, 1_000);
    int stages = argument(args, 1, 8);
    int pods = argument(args, 2, 1);
    System.out.printf(
        Locale.ROOT,
        "%,d journeys, %d stages, %d pods each; load of the machine %.1f%n",
        journeys,
        stages,
        pods,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    new RoundFigures(journeys, stages, pods).run();
  }

  private static int argument(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private void run() throws IOException {
    Path promtool =
        BackfilledPrometheus.promtool()
            .orElseThrow(() -> new IllegalStateException("there is no promtool on the PATH"));
    Path directory = Files.createTempDirectory("round-figures");
    long started = System.nanoTime();
    try (RealPrometheus prometheus = BackfilledPrometheus.start(promtool, directory, this::record);
        CountingProxy proxy = new CountingProxy(prometheus.url())) {
      System.out.printf(Locale.ROOT, "filled in %.0f s%n", seconds(started));
      read(proxy.url());
      System.out.printf(
          Locale.ROOT,
          "%d queries, %.1f MiB of answers, the longest %.1f MiB%n",
          proxy.queries(),
          proxy.bytes() / MIB,
          proxy.longest() / MIB);
      for (int round = 0; round < ROUNDS; round++) {
        round(prometheus);
      }
    } finally {
      remove(directory);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Four stages, and optional tools between the search and the ranking. */
  private static ParsedJourney parsed(int stages) {
    StringBuilder spec = new StringBuilder(Journeys.MINIMAL);
    spec.append("stages:\n- {name: embed, type: Embed}\n- {name: search, type: Search}\n");
    for (int tool = 4; tool < stages; tool++) {
      spec.append("- {name: tool-")
          .append(tool)
          .append(", type: Tool, optional: true, cap: 150ms, backend: tool}\n");
    }
    spec.append("- {name: rerank, type: Rerank, optional: true}\n");
    spec.append("- {name: generate, type: Generate}\n");
    spec.append("backends:\n- {name: tool, http: {url: \"https://tool.example.com\"}}\n");
    return switch (RawSpecReader.read("faq", Journeys.yaml(spec.toString()))) {
      case Reading.Valid(var valid) -> valid;
      case Reading other -> throw new IllegalStateException(other.toString());
    };
  }

  /** The same pod's metrics under many names. */
  private void record(LocalPrometheus.Recorder recorder) {
    LocalPrometheus.Recorder many =
        (metric, labels, at, value) -> {
          Map<String, String> own = new HashMap<>(labels);
          for (int i = 0; i < journeys; i++) {
            own.put("journey", name(i));
            for (int pod = 0; pod < pods; pod++) {
              own.put("pod", name(i) + "-" + pod);
              recorder.sample(metric, own, at, value);
            }
          }
        };
    Map<String, Law> laws = new HashMap<>(LAWS);
    parsed.budget().stages().forEach(stage -> laws.putIfAbsent(stage.name(), TOOL));
    new RecordedJourney(many, "shop", "faq", parsed.budget(), SCRAPES)
        .asked(NOW.minus(WINDOW), NOW, laws);
  }

  private static String name(int journey) {
    return "journey-" + journey;
  }

  private LatencyReading read(URI url) {
    Set<JourneyId> ids =
        IntStream.range(0, journeys)
            .mapToObj(i -> new JourneyId("shop", name(i)))
            .collect(Collectors.toSet());
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(
            PrometheusSettings.of(url)
                .withTimeout(ENOUGH)
                .withMaxResponseBytes(Integer.MAX_VALUE))) {
      return source.read(NOW, WINDOW, INTERVAL, ids);
    }
  }

  private void round(RealPrometheus prometheus) {
    long held = usedAfterCollection();
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    Duration serverBefore = prometheus.cpu();
    long cpuBefore = cpu();
    long started = System.nanoTime();
    LatencyReading reading = read(prometheus.url());
    double reads = seconds(started);
    double readCpu = (cpu() - cpuBefore) / 1e9;
    double serverCpu = prometheus.cpu().minus(serverBefore).toMillis() / 1e3;
    double peak = heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MIB;
    double answers = (usedAfterCollection() - held) / MIB;
    if (!(reading instanceof LatencyReading.Measured measured)) {
      System.out.printf(Locale.ROOT, "after %.1f s: %s%n", reads, reading);
      return;
    }
    cpuBefore = cpu();
    started = System.nanoTime();
    long moves = decide(measured);
    double decides = seconds(started);
    System.out.printf(
        Locale.ROOT,
        "read in %.1f s: CPU of the server %.1f s, ours %.1f s, %.0f MiB peak of the heap, %.0f MiB"
            + " held; decided in %.1f s, %.2f ms of CPU a journey; %,d journeys measured, %,d"
            + " moves%n",
        reads,
        serverCpu,
        readCpu,
        peak,
        answers,
        decides,
        (cpu() - cpuBefore) / 1e6 / journeys,
        measured.journeys().size(),
        moves);
  }

  private long decide(LatencyReading.Measured measured) {
    long moves = 0;
    for (int i = 0; i < journeys; i++) {
      RebalanceDecision decision =
          Rebalancer.decide(
              new RebalanceInput(
                  parsed.budget(),
                  parsed.rebalance(),
                  measured,
                  new JourneyId("shop", name(i)),
                  PastMoves.NONE,
                  NOW));
      moves += decision instanceof RebalanceDecision.Move ? 1 : 0;
    }
    return moves;
  }

  /** Of this process, in nanoseconds. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
