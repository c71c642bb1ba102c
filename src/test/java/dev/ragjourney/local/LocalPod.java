package dev.ragjourney.local;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A pipeline pod as a process of this machine: the same main, ports of its own on the loopback
 * address.
 */
final class LocalPod {
  /** The product's own main. */
  static final String PRODUCT = "dev.ragjourney.app.Main";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  private final String name;
  private final String templateHash;
  private final int port;
  private final int adminPort;
  private final Process process;

  private LocalPod(String name, String templateHash, int port, int adminPort, Process process) {
    this.name = name;
    this.templateHash = templateHash;
    this.port = port;
    this.adminPort = adminPort;
    this.process = process;
  }

  static LocalPod start(
      String name, String templateHash, Map<String, String> environment, Path directory)
      throws IOException {
    int port = freePort();
    int adminPort = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(command(List.of("-Xmx512m"), PRODUCT, List.of("pipeline")));
    builder.environment().putAll(environment);
    builder.environment().put("RAGJOURNEY_BIND", "127.0.0.1");
    builder.environment().put("RAGJOURNEY_PORT", Integer.toString(port));
    builder.environment().put("RAGJOURNEY_ADMIN_PORT", Integer.toString(adminPort));
    builder.environment().put("RAGJOURNEY_LOGLEVEL_PORT", "0");
    builder.redirectErrorStream(true).redirectOutput(directory.resolve(name + ".log").toFile());
    return new LocalPod(name, templateHash, port, adminPort, builder.start());
  }

  /** The command that starts a main on this JVM's class path. */
  static List<String> command(List<String> jvmOptions, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Djdk.virtualThreadScheduler.parallelism=16"));
    command.addAll(jvmOptions);
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String name() {
    return name;
  }

  String templateHash() {
    return templateHash;
  }

  int port() {
    return port;
  }

  int adminPort() {
    return adminPort;
  }

  boolean alive() {
    return process.isAlive();
  }

  boolean ready() {
    if (!process.isAlive()) {
      return false;
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/readyz"))
            .timeout(Duration.ofSeconds(2))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Asks the process to stop, and ends it after the grace period. */
  void stop(Duration grace) {
    process.destroy();
    try {
      if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
