package dev.ragjourney.backends.http;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.BackendPlan;
import java.util.List;

/** One backend of the plan, reached over the network; its ports share its connections. */
public interface RemoteBackend extends AutoCloseable {
  /**
   * What does the work of a stage of this type.
   *
   * @throws IllegalArgumentException if this kind of backend does not serve such stages
   */
  StagePort port(StageType type);

  /** What {@link #port} throws for a stage of a type that this kind does not serve. */
  static IllegalArgumentException servesNo(BackendPlan plan, StageType type) {
    return new IllegalArgumentException(
        "backends[%s] is %s and serves no %s".formatted(plan.name(), plan.kind(), type.label()));
  }

  /**
   * Why the backend cannot be used as configured just now, one sentence each, naming the Secret and
   * the key; empty when it can.
   */
  List<String> missing();

  /**
   * Makes the first calls against a server inside the process, so that the first question does not
   * wait for class loading. Takes seconds on a cold machine; never calls the real server.
   */
  void warmUp() throws Exception;

  /** Ends every call in flight and frees the connections. */
  @Override
  void close();
}
