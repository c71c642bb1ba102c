package dev.ragjourney.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A RagJourney whose spec and status are still plain JSON. A typed list is unreadable as a whole
 * when one value in it has an odd shape; this one always reads, and each journey is mapped alone.
 */
@Group(RagJourney.GROUP)
@Version(RagJourney.VERSION)
@Kind(RagJourney.KIND)
@Plural("ragjourneys")
@Singular("ragjourney")
public final class RawJourney extends CustomResource<JsonNode, JsonNode> implements Namespaced {
  /** Its namespace and name. */
  public JourneyId id() {
    return new JourneyId(getMetadata().getNamespace(), getMetadata().getName());
  }
}
