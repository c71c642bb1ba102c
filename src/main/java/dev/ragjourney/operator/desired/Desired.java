package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.plan.Plan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an observation asks for. */
public sealed interface Desired {
  /**
   * The objects of a valid spec.
   *
   * @param apply in this order, each signed
   * @param prune plans that nothing uses any more
   * @param plan the document of the current template
   * @param planMap the name of its ConfigMap
   * @param lastMove the last move of its caps; null if they never moved
   * @param moved the caps move with this very write
   */
  record Objects(
      ParsedJourney journey,
      List<HasMetadata> apply,
      List<ConfigMap> prune,
      Plan plan,
      String planMap,
      @Nullable LastMove lastMove,
      boolean moved)
      implements Desired {
    public Objects {
      apply = List.copyOf(apply);
      prune = List.copyOf(prune);
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
