package dev.ragjourney.support;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A pipeline pod as a process of its own, on ports of the machine's choice. */
public final class PodProcess implements AutoCloseable {
  private static final Pattern PORTS =
      Pattern.compile("Journeys on port ([0-9]+), operations on port ([0-9]+)");
  private static final Duration START = Duration.ofSeconds(60);

  private final Process process;
  private final URI journeys;
  private final URI operations;

  private PodProcess(Process process, int journeys, int operations) {
    this.process = process;
    this.journeys = URI.create("http://127.0.0.1:" + journeys);
    this.operations = URI.create("http://127.0.0.1:" + operations);
  }

  /**
   * Returns when it is ready.
   *
   * @param directory for its log and as its secrets
   * @param jvmOptions like {@code -Xmx256m}
   */
  public static PodProcess start(Path directory, MountedPlan plan, String... jvmOptions)
      throws IOException {
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), "dev.ragjourney.app.Main", "pipeline"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "RAGJOURNEY_PLAN_DIR", plan.directory().toString(),
                "RAGJOURNEY_SECRETS_DIR", directory.toString(),
                "RAGJOURNEY_BIND", "127.0.0.1",
                "RAGJOURNEY_PORT", "0",
                "RAGJOURNEY_ADMIN_PORT", "0",
                "RAGJOURNEY_LOGLEVEL_PORT", "0",
                "RAGJOURNEY_TEST_LOG_LEVEL", "INFO",
                "RAGJOURNEY_SETTLE", "0s"));
    Process process = builder.start();
    try {
      await()
          .atMost(START)
          .until(() -> !process.isAlive() || PORTS.matcher(Files.readString(log)).find());
      Matcher ports = PORTS.matcher(Files.readString(log));
      if (!ports.find()) {
        throw new AssertionError("the pod did not start: " + Files.readString(log));
      }
      PodProcess pod =
          new PodProcess(
              process, Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2)));
      pod.awaitReady();
      return pod;
    } catch (IOException | RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private void awaitReady() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      await()
          .atMost(START)
          .until(
              () ->
                  client
                          .send(
                              HttpRequest.newBuilder(operations.resolve("/readyz")).build(),
                              HttpResponse.BodyHandlers.discarding())
                          .statusCode()
                      == 200);
    }
  }

  /** Where journeys are asked for, without a path. */
  public URI journeys() {
    return journeys;
  }

  /** Where metrics and health are, without a path. */
  public URI operations() {
    return operations;
  }

  public Process process() {
    return process;
  }

  /** Open files and sockets, as the kernel counts them. */
  public long openFiles() throws IOException {
    return entries("fd");
  }

  /** Threads, as the kernel counts them; virtual ones are none. */
  public long threads() throws IOException {
    return entries("task");
  }

  /** Bytes that the heap holds after a full collection. */
  public long liveHeapBytes() throws IOException, InterruptedException {
    String histogram = jcmd("GC.class_histogram");
    String total =
        histogram.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
    return Long.parseLong(total.strip().split("\\s+")[2]);
  }

  /** What the JVM's own tool says; {@code GC.class_histogram} collects first. */
  public String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes());
    if (!jcmd.waitFor(60, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
      throw new AssertionError("jcmd " + command + ": " + said);
    }
    return said;
  }

  private long entries(String folder) throws IOException {
    try (Stream<Path> entries = Files.list(Path.of("/proc", "" + process.pid(), folder))) {
      return entries.count();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
