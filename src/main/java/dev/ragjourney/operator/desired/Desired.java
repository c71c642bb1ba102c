package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.plan.Plan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an observation asks for. */
public sealed interface Desired {
  /**
   * The objects of a valid spec.
   *
   * @param apply in this order, each signed
   * @param retire objects that must be gone before the others are applied
   * @param prune objects that nothing uses any more
   * @param plan the document of the current template
   * @param planMap the name of its ConfigMap
   * @param lastMove the last move of its caps; null if they never moved
   * @param changed by stage, when its spec last changed
   * @param moved the caps move with this very write
   */
  record Objects(
      ParsedJourney journey,
      List<HasMetadata> apply,
      List<HasMetadata> retire,
      List<HasMetadata> prune,
      Plan plan,
      String planMap,
      @Nullable LastMove lastMove,
      Map<String, Instant> changed,
      boolean moved)
      implements Desired {
    public Objects {
      apply = List.copyOf(apply);
      retire = List.copyOf(retire);
      prune = List.copyOf(prune);
      changed = Map.copyOf(changed);
    }
  }

  /**
   * What is there stays as it is.
   *
   * @param reason of Ready=False
   * @param findings what is wrong, at least one
   */
  record AsItIs(String reason, List<Finding> findings) implements Desired {
    public AsItIs {
      findings = List.copyOf(findings);
    }
  }
}
