package dev.ragjourney.operator.observe;

import dev.ragjourney.plan.Plan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan's ConfigMap as it is.
 *
 * @param map the object
 * @param plan what it holds; null when it cannot be read
 * @param lastMove null if caps never moved
 * @param changed by stage, when its spec last changed
 */
public record LivePlan(
    ConfigMap map, @Nullable Plan plan, @Nullable LastMove lastMove, Map<String, Instant> changed) {
  public LivePlan {
    changed = Map.copyOf(changed);
  }

  public String name() {
    return map.getMetadata().getName();
  }

  /** Zero for a plan that cannot be read. */
  public long revision() {
    return plan == null ? 0 : plan.revision();
  }
}
