package dev.ragjourney.server;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.plan.BackendPlan;
import java.util.List;
import java.util.Set;

/** Opens backends by their kind. */
@FunctionalInterface
public interface BackendFactory {
  /**
   * Returns soon: what takes long goes on behind {@link Backend#missing}.
   *
   * @param questions to be asked before the first journey, where asking costs nothing
   * @throws IllegalArgumentException if the backend's settings cannot work
   */
  Backend open(BackendUse use, List<String> questions);

  /**
   * What the backend would read once, when it opens: another text for other contents. Empty for a
   * backend that reads nothing.
   *
   * @param serves types of the stages that name it
   */
  default String contents(BackendPlan plan, Set<StageType> serves) {
    return "";
  }
}
