package dev.ragjourney.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;

/** The process of a pod's only container, as the node sees it: signalled without asking anybody. */
record PodProcess(Cluster cluster, String container) {
  private static final String SCHEME = "containerd://";

  static PodProcess of(Cluster cluster, Pod pod) {
    String id = pod.getStatus().getContainerStatuses().getFirst().getContainerID();
    return new PodProcess(cluster, id.substring(SCHEME.length()));
  }

  /** As a process that hangs: nothing is closed, nothing is answered. */
  Frozen freeze() throws IOException {
    signal("SIGSTOP");
    return new Frozen(this);
  }

  void kill() throws IOException {
    signal("SIGKILL");
  }

  private void signal(String signal) throws IOException {
    cluster.ctr("tasks", "kill", "--signal=" + signal, container);
  }

  /** Goes on when it is closed. */
  record Frozen(PodProcess process) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      process.signal("SIGCONT");
    }
  }
}
