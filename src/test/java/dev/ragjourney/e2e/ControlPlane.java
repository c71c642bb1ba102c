package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A control plane of the test's own, whose processes it may stop, kill and start again. */
final class ControlPlane implements AutoCloseable {
  static final String API_SERVER = "kube-apiserver";
  static final String ETCD = "etcd";
  private static final String SCRIPTS = "src/test/cluster/";
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 10_000;
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"([0-9]+)\"");

  private final Path folder;
  private final int etcdPort;
  private final Map<String, String> environment;
  private final Cluster cluster;

  private ControlPlane(Path folder, int apiPort, int etcdPort) throws IOException {
    this.folder = folder;
    this.etcdPort = etcdPort;
    environment =
        Map.of(
            "RAGJOURNEY_CLUSTER", folder.toString(),
            "RAGJOURNEY_API_PORT", "" + apiPort,
            "RAGJOURNEY_ETCD_PORT", "" + etcdPort);
    try {
      script("up", "control-plane");
    } catch (IOException | RuntimeException | Error e) {
      script("down");
      throw e;
    }
    cluster = Cluster.connect(folder.resolve("kubeconfig"));
  }

  static ControlPlane start() throws IOException {
    // The test cluster's mark: a machine that was not told of one has no binaries either.
    assertThat(System.getenv("RAGJOURNEY_TEST_KUBECONFIG"))
        .as("RAGJOURNEY_TEST_KUBECONFIG; see src/test/cluster/README.md")
        .isNotNull();
    return new ControlPlane(
        Files.createTempDirectory("control-plane").resolve("cluster"), freePorts(3), freePorts(2));
  }

  /** So many free ports, one after the other. */
  private static int freePorts(int number) {
    for (int tried = 0; tried < PORTS; tried++) {
      int first = FIRST_PORT + java.util.concurrent.ThreadLocalRandom.current().nextInt(PORTS);
      boolean free = true;
      for (int port = first; port < first + number; port++) {
        try (ServerSocket socket = new ServerSocket(port)) {
          free &= socket.isBound();
        } catch (IOException taken) {
          free = false;
        }
      }
      if (free) {
        return first;
      }
    }
    throw new IllegalStateException("no free ports");
  }

  Cluster cluster() {
    return cluster;
  }

  private long pid(String process) throws IOException {
    return Long.parseLong(Files.readString(folder.resolve("pid").resolve(process)).strip());
  }

  /** Stops it where it is: connections stay open and nothing answers. */
  void pause(String process) throws IOException {
    Cluster.run(List.of("kill", "-STOP", "" + pid(process)));
  }

  void resume(String process) throws IOException {
    Cluster.run(List.of("kill", "-CONT", "" + pid(process)));
  }

  /** Kills it at once; what comes back starts it again. */
  Killed kill(String process) throws IOException {
    long pid = pid(process);
    List<String> command =
        List.of(
            Files.readString(Path.of("/proc", "" + pid, "cmdline"), StandardCharsets.UTF_8)
                .split("\0"));
    Cluster.run(List.of("kill", "-KILL", "" + pid));
    await(process + " is gone").atMost(SOON).until(() -> gone(pid));
    return new Killed(process, command);
  }

  private static boolean gone(long pid) throws IOException {
    Path status = Path.of("/proc", "" + pid, "status");
    return !Files.exists(status) || Files.readString(status).contains("State:\tZ");
  }

  /** A process that is no more. */
  final class Killed {
    private final String process;
    private final List<String> command;

    private Killed(String process, List<String> command) {
      this.process = process;
      this.command = command;
    }

    void startAgain() throws IOException {
      File log = folder.resolve("log").resolve(process + ".log").toFile();
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
      // The script's own way to find and stop it.
      Files.writeString(folder.resolve("pid").resolve(process), started.pid() + "\n");
    }
  }

  /** Forgets all history: who watches from an earlier version has to list again. */
  void compact() throws IOException, InterruptedException {
    Matcher revision = REVISION.matcher(etcd("maintenance/status", "{}"));
    assertThat(revision.find()).as("etcd tells its revision").isTrue();
    etcd(
        "kv/compaction", "{\"revision\": \"%s\", \"physical\": true}".formatted(revision.group(1)));
  }

  private String etcd(String call, String body) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + etcdPort + "/v3/" + call))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .timeout(SOON)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s: %s", call, answer.body()).isEqualTo(200);
      return answer.body();
    }
  }

  private void script(String name, String... arguments) throws IOException {
    File output = File.createTempFile("control-plane", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
                java.util.stream.Stream.concat(
                        java.util.stream.Stream.of(SCRIPTS + name),
                        java.util.stream.Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("%s ends", name).isTrue();
      assertThat(process.exitValue())
          .as("%s: %s", name, Files.readString(output.toPath()))
          .isZero();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      Files.delete(output.toPath());
    }
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    for (String process : List.of(API_SERVER, ETCD)) {
      Cluster.ended(List.of("kill", "-CONT", "" + pid(process)));
    }
    script("down");
  }
}
