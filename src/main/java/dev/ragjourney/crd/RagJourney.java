package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A RAG pipeline under one latency budget. */
@Group(RagJourney.GROUP)
@Version(RagJourney.VERSION)
@Kind(RagJourney.KIND)
@Plural("ragjourneys")
@Singular("ragjourney")
@ShortNames("rj")
@Categories("rag")
public class RagJourney extends CustomResource<RagJourneySpec, RagJourneyStatus>
    implements Namespaced {
  public static final String GROUP = "ragjourney.dev";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "RagJourney";
}
