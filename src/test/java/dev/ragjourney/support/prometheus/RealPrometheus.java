package dev.ragjourney.support.prometheus;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own Prometheus as a child process. Targets come and go by files; they are scraped
 * by two jobs, one that honors the labels of the scraped process and one that does not.
 */
public final class RealPrometheus implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("msg=\"Listening on\" address=\\S*:(\\d+)");
  private static final int START_SECONDS = 30;

  private final Path binary;
  private final Path directory;
  private int port;
  private @Nullable Process process;

  private RealPrometheus(Path binary, Path directory) {
    this.binary = binary;
    this.directory = directory;
  }

  /** How a target's own labels are treated. */
  public enum Job {
    HONORING,
    OVERWRITING;

    String folder() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Where the binary is, if the machine has one. */
  public static Optional<Path> binary() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
        .map(folder -> Path.of(folder, "prometheus"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static RealPrometheus start(Path binary, Path directory, String scrapeInterval) {
    try {
      for (Job job : Job.values()) {
        Files.createDirectories(directory.resolve(job.folder()));
      }
      String jobs =
          Stream.of(Job.values())
              .map(
                  job ->
                      """
                      - job_name: %s
                        honor_labels: %s
                        file_sd_configs: [{files: ['%s/*.json']}]
                      """
                          .formatted(
                              job.folder(), job == Job.HONORING, directory.resolve(job.folder())))
              .collect(Collectors.joining());
      Files.writeString(
          directory.resolve("prometheus.yml"),
          "global: {scrape_interval: %s, scrape_timeout: %s}\nscrape_configs:\n%s"
              .formatted(scrapeInterval, scrapeInterval, jobs));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RealPrometheus prometheus = new RealPrometheus(binary, directory);
    prometheus.start();
    return prometheus;
  }

  /** Of its process so far; zero where the machine does not tell. */
  public Duration cpu() {
    return process == null
        ? Duration.ZERO
        : process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Starts it again after a stop, on the same port and with the same data. */
  public void start() {
    try {
      Process started =
          new ProcessBuilder(
                  List.of(
                      binary.toString(),
                      "--config.file=" + directory.resolve("prometheus.yml"),
                      "--storage.tsdb.path=" + directory.resolve("data"),
                      "--web.listen-address=127.0.0.1:" + port))
              .redirectErrorStream(true)
              .start();
      process = started;
      port = listening(started);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int listening(Process process) {
    CompletableFuture<Integer> found = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              StringBuilder log = new StringBuilder();
              try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  Matcher listening = LISTENING.matcher(line);
                  if (listening.find()) {
                    found.complete(Integer.valueOf(listening.group(1)));
                  }
                  log.append(line).append('\n');
                }
              } catch (IOException e) {
                log.append(e);
              }
              found.completeExceptionally(new IllegalStateException("Prometheus ended:\n" + log));
            });
    return found.orTimeout(START_SECONDS, SECONDS).join();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * Has it scrape a target.
   *
   * @param name of the target's file
   * @param labels of the target
   */
  public void scrape(Job job, String name, int targetPort, Map<String, String> labels) {
    String labelText =
        labels.entrySet().stream()
            .map(label -> "\"%s\": \"%s\"".formatted(label.getKey(), label.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
    Path folder = directory.resolve(job.folder());
    try {
      Path fresh = Files.createTempFile(directory, name, ".tmp");
      Files.writeString(
          fresh,
          "[{\"targets\": [\"127.0.0.1:%d\"], \"labels\": %s}]".formatted(targetPort, labelText));
      Files.move(fresh, folder.resolve(name + ".json"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void stop() {
    Process running = process;
    if (running != null) {
      running.destroy();
      try {
        if (!running.waitFor(START_SECONDS, SECONDS)) {
          running.destroyForcibly();
        }
      } catch (InterruptedException e) {
        running.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      process = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
