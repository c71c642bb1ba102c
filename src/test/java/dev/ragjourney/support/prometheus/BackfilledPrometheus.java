package dev.ragjourney.support.prometheus;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes recorded samples into the data of a real Prometheus that is not running yet. */
public final class BackfilledPrometheus {
  private static final int MINUTES = 30;

  private BackfilledPrometheus() {}

  /** Where {@code promtool} is, beside the server's binary. */
  public static Optional<Path> promtool() {
    return RealPrometheus.binary()
        .map(binary -> binary.resolveSibling("promtool"))
        .filter(Files::isExecutable);
  }

  /**
   * A server that has what was recorded.
   *
   * @param directory its own; it must be empty
   */
  public static RealPrometheus start(
      Path promtool, Path directory, Consumer<LocalPrometheus.Recorder> recording) {
    try {
      Path text = directory.resolve("recorded.txt");
      try (BufferedWriter out = Files.newBufferedWriter(text)) {
        recording.accept((metric, labels, at, value) -> line(out, metric, labels, at, value));
        out.write("# EOF\n");
      }
      createBlocks(promtool, text, directory.resolve("data"));
      Files.delete(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return RealPrometheus.start(promtool.resolveSibling("prometheus"), directory, "1h");
  }

  private static void line(
      BufferedWriter out, String metric, Map<String, String> labels, Instant at, double value) {
    StringBuilder line = new StringBuilder(metric).append('{');
    labels.forEach((name, is) -> line.append(name).append("=\"").append(is).append("\","));
    line.setCharAt(line.length() - 1, '}');
    try {
      out.append(line.append(' ').append(value).append(' ').append(at.getEpochSecond()))
          .write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createBlocks(Path promtool, Path text, Path data) throws IOException {
    Process process =
        new ProcessBuilder(
                promtool.toString(),
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                "--quiet",
                text.toString(),
                data.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException("promtool: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
