package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.chart.HelmChart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator as a process of its own, as its container runs it: it can be stopped, paused and
 * killed, and is started again when it ends by itself, as the kubelet does it – at once, then after
 * 10 s, 20 s and so on.
 */
final class OperatorProcess implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("health and metrics are on port ([0-9]+)");
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(10);

  private final ProcessBuilder builder;
  private final String pod;
  private final Path log;
  private final AtomicInteger starts = new AtomicInteger();
  private final AtomicInteger restarts = new AtomicInteger();
  private volatile Process process;
  private volatile boolean over;

  private OperatorProcess(ProcessBuilder builder, String pod, Path log) {
    this.builder = builder;
    this.pod = pod;
    this.log = log;
  }

  /**
   * @param pod its name, by which it leads
   * @param more variables of the environment
   */
  static OperatorProcess start(OperatorAccount account, String pod, Map<String, String> more)
      throws IOException {
    return start(account, pod, more, List.of("-Xmx256m"));
  }

  static OperatorProcess start(
      OperatorAccount account, String pod, Map<String, String> more, List<String> jvm)
      throws IOException {
    Path log = Cluster.OUTPUT.resolve(pod + "-" + System.nanoTime() + ".log");
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--add-modules=jdk.incubator.vector",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.ragjourney.app.Main",
            "operator"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = new HashMap<>();
    environment.put("RAGJOURNEY_IMAGE", "ragjourney:local");
    environment.put("RAGJOURNEY_LEASE_NAMESPACE", HelmChart.NAMESPACE);
    environment.put("RAGJOURNEY_OPERATOR_PORT", "0");
    environment.put("RAGJOURNEY_TEST_LOG_LEVEL", "INFO");
    environment.put("KUBECONFIG", account.kubeconfig().toString());
    environment.put("HOSTNAME", pod);
    environment.putAll(more);
    builder.environment().putAll(environment);
    OperatorProcess operator = new OperatorProcess(builder, pod, log);
    operator.run();
    return operator;
  }

  private void run() throws IOException {
    Process started = builder.start();
    process = started;
    starts.incrementAndGet();
    started
        .onExit()
        .thenRunAsync(
            () -> {
              try {
                if (!over) {
                  run();
                  restarts.incrementAndGet();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            CompletableFuture.delayedExecutor(backOff(), TimeUnit.MILLISECONDS));
  }

  private long backOff() {
    int before = restarts.get();
    return before == 0 ? 0 : FIRST_BACK_OFF.multipliedBy(1L << Math.min(before - 1, 5)).toMillis();
  }

  String pod() {
    return pod;
  }

  /** How often it ended by itself and was started again. */
  int restarts() {
    return restarts.get();
  }

  /** As after ten minutes of running. */
  void forgetRestarts() {
    restarts.set(0);
  }

  long pid() {
    return process.pid();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** Waits for the first lists of the newest start. */
  void awaitRunning() {
    await(pod + " runs")
        .atMost(START)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> log().split("the operator runs", -1).length > starts.get());
  }

  /** One of its own figures, over all labels that the text has. */
  double metric(String series) throws IOException, InterruptedException {
    Matcher port = PORT.matcher(log());
    assertThat(port.find()).as("the port in %s", log).isTrue();
    try (HttpClient client = HttpClient.newHttpClient()) {
      String text =
          client
              .send(
                  HttpRequest.newBuilder(
                          URI.create("http://127.0.0.1:" + port.group(1) + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith(series))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  void pause() throws IOException {
    Cluster.run(List.of("kill", "-STOP", "" + pid()));
  }

  void resume() throws IOException {
    Cluster.run(List.of("kill", "-CONT", "" + pid()));
  }

  /** SIGKILL, and nobody starts it again. */
  void kill() throws InterruptedException {
    over = true;
    process.destroyForcibly();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("%s is gone", pod).isTrue();
  }

  /** SIGTERM, as Kubernetes does it. */
  void stop() {
    over = true;
    process.destroy();
  }

  boolean alive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    over = true;
    process.destroyForcibly();
  }
}
