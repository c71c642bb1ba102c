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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Prints what one round costs over many journeys in a real Prometheus: queries, bytes, time and
 * heap. Takes some minutes, most of them to fill the server:
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *     -Dexec.args="-Xmx1g -XX:+UseSerialGC -cp %classpath dev.ragjourney.bench.RoundFigures 1000"
 * </pre>
 */
public final class RoundFigures {
  private static final int ROUNDS = 4;
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration SCRAPES = Duration.ofSeconds(150);
  private static final double MIB = 1 << 20;

  /** What a reading needs is measured, so nothing ends it. */
  private static final Duration ENOUGH = Duration.ofMinutes(2);

  private static final Map<String, Law> LAWS =
      Map.of(
          "embed", new Law(0.03, 0.3),
          "search", new Law(0.25, 0.4),
          "rerank", new Law(0.22, 0.4),
          "generate", new Law(0.9, 0.35));

  private RoundFigures() {}

  public static void main(String[] args) throws IOException {
    int journeys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
    Path promtool =
        BackfilledPrometheus.promtool()
            .orElseThrow(() -> new IllegalStateException("there is no promtool on the PATH"));
    Path directory = Files.createTempDirectory("round-figures");
    ParsedJourney parsed = parsed();
    try (RealPrometheus prometheus =
            BackfilledPrometheus.start(
                promtool, directory, recorder -> record(recorder, journeys, parsed));
        CountingProxy proxy = new CountingProxy(prometheus.url())) {
      System.out.printf("%,d journeys%n", journeys);
      for (int round = 0; round < ROUNDS; round++) {
        round(proxy, parsed, journeys);
      }
    }
  }

  private static ParsedJourney parsed() {
    return switch (RawSpecReader.read("faq", Journeys.yaml(Journeys.MINIMAL))) {
      case Reading.Valid(var parsed) -> parsed;
      case Reading other -> throw new IllegalStateException(other.toString());
    };
  }

  /** The same pod's metrics under many names. */
  private static void record(
      LocalPrometheus.Recorder recorder, int journeys, ParsedJourney parsed) {
    LocalPrometheus.Recorder many =
        (metric, labels, at, value) -> {
          Map<String, String> own = new HashMap<>(labels);
          for (int i = 0; i < journeys; i++) {
            own.put("journey", name(i));
            own.put("pod", name(i) + "-0");
            recorder.sample(metric, own, at, value);
          }
        };
    new RecordedJourney(many, "shop", "faq", parsed.budget(), SCRAPES)
        .asked(NOW.minus(WINDOW), NOW, LAWS);
  }

  private static Set<JourneyId> names(int journeys) {
    return IntStream.range(0, journeys)
        .mapToObj(i -> new JourneyId("shop", name(i)))
        .collect(Collectors.toSet());
  }

  private static String name(int journey) {
    return "journey-" + journey;
  }

  private static void round(CountingProxy proxy, ParsedJourney parsed, int journeys) {
    proxy.reset();
    long before = usedAfterCollection();
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    LatencyReading reading;
    long started = System.nanoTime();
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(
            PrometheusSettings.of(proxy.url())
                .withTimeout(ENOUGH)
                .withMaxResponseBytes(Integer.MAX_VALUE))) {
      reading = source.read(NOW, WINDOW, INTERVAL, names(journeys));
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    double peak = heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() / MIB;
    double held = (usedAfterCollection() - before) / MIB;
    if (!(reading instanceof LatencyReading.Measured measured)) {
      System.out.printf(Locale.ROOT, "after %.1f s: %s%n", seconds, reading);
      return;
    }
    long decided = System.nanoTime();
    int moves = 0;
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
    System.out.printf(
        Locale.ROOT,
        "%d queries, %.1f MiB of answers, the longest %.1f MiB, %.1f s to read, %.0f MiB peak of the heap, %.0f MiB held;"
            + " %.1f ms to decide a journey; %,d journeys measured, %,d moves%n",
        proxy.queries(),
        proxy.bytes() / MIB,
        proxy.longest() / MIB,
        seconds,
        peak,
        held,
        (System.nanoTime() - decided) / 1e6 / journeys,
        measured.journeys().size(),
        moves);
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
