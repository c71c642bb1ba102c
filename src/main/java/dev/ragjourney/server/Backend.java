package dev.ragjourney.server;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.StagePort;
import java.util.List;

/** One backend of the plan, kept open as long as a plan in use names it unchanged. */
public interface Backend extends AutoCloseable {
  /**
   * What does the work of a stage of this type.
   *
   * @throws IllegalArgumentException if this kind of backend does not serve such stages
   */
  StagePort port(StageType type);

  /**
   * What keeps the backend from working as configured just now, one sentence each; empty when it
   * can. Returns at once.
   */
  List<String> missing();

  /** Makes the first real call as fast as the later ones. Called once, when nothing is missing. */
  default void warmUp() throws Exception {}

  @Override
  void close();
}
