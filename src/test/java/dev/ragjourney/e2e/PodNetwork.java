package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A pod's place in the network: what is asked from here comes from the pod's address. The node,
 * where the tests run, may reach every pod whatever a NetworkPolicy says.
 */
record PodNetwork(String process) {
  private static final String SCHEME = "containerd://";

  /** Ends with 3 where nobody takes the connection or refuses it within a second. */
  private static final String ASK =
      """
      import socket, sys, urllib.error, urllib.parse, urllib.request
      address = urllib.parse.urlsplit(sys.argv[1])
      try:
          socket.create_connection((address.hostname, address.port or 80), 1).close()
      except TimeoutError:
          sys.exit(3)
      body = sys.argv[2].encode() if len(sys.argv) > 2 else None
      request = urllib.request.Request(sys.argv[1], body, {"Content-Type": "application/json"})
      try:
          answer = urllib.request.urlopen(request, timeout=20)
      except urllib.error.HTTPError as error:
          answer = error
      print(answer.status)
      print(answer.read().decode())
      """;

  /**
   * What came back.
   *
   * @param status of HTTP; 0 where nothing came
   */
  record Answer(int status, String body) {
    static final Answer SILENCE = new Answer(0, "");
  }

  static PodNetwork of(Cluster cluster, Pod pod) throws IOException {
    String id = pod.getStatus().getContainerStatuses().getFirst().getContainerID();
    String container = id.substring(SCHEME.length());
    String process =
        cluster
            .ctr("tasks", "list")
            .lines()
            .map(line -> line.trim().split("\\s+"))
            .filter(task -> task[0].equals(container))
            .map(task -> task[1])
            .findFirst()
            .orElseThrow(() -> new AssertionError("no process of " + pod.getMetadata().getName()));
    return new PodNetwork(process);
  }

  Answer get(URI address) {
    return ask(address.toString());
  }

  Answer post(URI address, String json) {
    return ask(address.toString(), json);
  }

  private Answer ask(String... what) {
    List<String> command =
        new ArrayList<>(List.of("nsenter", "--target=" + process, "--net", "python3", "-c", ASK));
    command.addAll(List.of(what));
    Cluster.Ended ended = ended(command);
    if (ended.code() == 3) {
      return Answer.SILENCE;
    }
    assertThat(ended.code()).as("%s: %s", what[0], ended.errors()).isZero();
    int line = ended.output().indexOf('\n');
    return new Answer(
        Integer.parseInt(ended.output().substring(0, line)), ended.output().substring(line + 1));
  }

  private static Cluster.Ended ended(List<String> command) {
    try {
      return Cluster.ended(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
