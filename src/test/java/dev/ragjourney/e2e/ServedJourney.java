package dev.ragjourney.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The operator, a scripted backend and a journey that is Ready, in a namespace of their own. */
record ServedJourney(Cluster cluster, ScriptedPod scripted, Journey journey, OpenLoopClient client)
    implements AutoCloseable {
  private static final Path RESOURCES = Path.of("src/test/resources/e2e");

  /**
   * @param name of the namespace, of the journey and of its manifest
   */
  static ServedJourney start(Cluster cluster, String name) throws IOException {
    cluster.freshNamespace(name);
    ScriptedPod scripted = ScriptedPod.start(cluster, name);
    cluster.apply(RESOURCES.resolve(name + ".yaml"), name);
    Journey journey = new Journey(cluster, name, name);
    journey.awaitCondition("Ready", "True", Duration.ofSeconds(240));
    journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
    return new ServedJourney(cluster, scripted, journey, new OpenLoopClient());
  }

  /** As users ask: through the Service. */
  List<URI> address() {
    return List.of(journey.service());
  }

  /** Keeps what people want to read when a step failed, and frees the machine. */
  @Override
  public void close() throws IOException {
    String name = journey.name();
    cluster.show(name + "-status.yaml", "get", "rj", name, "-n", name, "-o", "yaml");
    cluster.show(name + "-events.txt", "get", "events", "-n", name);
    cluster.keepLogs(name);
    cluster.keepLogs(Cluster.SYSTEM);
    // The namespace stays: in one that goes away the operator is refused what it puts right.
    cluster.kubectl("delete", "rj,deployment,service", "--all", "--namespace=" + name);
    Cluster.closeAll(scripted, client);
  }
}
