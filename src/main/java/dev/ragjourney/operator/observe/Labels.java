package dev.ragjourney.operator.observe;

import dev.ragjourney.crd.RagJourney;
import java.util.Map;

/** Labels and annotations of the objects that belong to a journey. */
public final class Labels {
  /** The journey's name; with {@link #COMPONENT} it selects the pods. */
  public static final String JOURNEY = RagJourney.JOURNEY_LABEL;

  public static final String COMPONENT = "app.kubernetes.io/component";
  public static final String PIPELINE = "pipeline";
  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  public static final String RAGJOURNEY = "ragjourney";

  /** On every object that the operator applies: a digest of what it applied. */
  public static final String APPLIED = "ragjourney.dev/applied";

  /**
   * On pods and their template: a digest of the template, so that pods of another one are known.
   */
  public static final String TEMPLATE = "ragjourney.dev/template";

  /** On pods: the revision they should run. A change of it makes the kubelet refresh mounts. */
  public static final String PLAN_REVISION = "ragjourney.dev/plan-revision";

  /** On pods: how often the revision was announced. */
  public static final String PLAN_ANNOUNCED = "ragjourney.dev/plan-announced";

  /** On the plan's ConfigMap: the last move of the caps, as JSON. */
  public static final String LAST_MOVE = "ragjourney.dev/last-move";

  /** On the plan's ConfigMap: when the spec of each stage last changed, as JSON. */
  public static final String STAGES_CHANGED = "ragjourney.dev/stages-changed";

  /** On the Service, by whoever makes it reachable in another way than through its DNS name. */
  public static final String ENDPOINT = "ragjourney.dev/endpoint";

  /** Selects everything that any journey owns. */
  public static final String OWNED_SELECTOR = MANAGED_BY + "=" + RAGJOURNEY;

  private Labels() {}

  public static Map<String, String> of(String journey) {
    return Map.of(
        "app.kubernetes.io/name",
        RAGJOURNEY,
        "app.kubernetes.io/instance",
        journey,
        COMPONENT,
        PIPELINE,
        MANAGED_BY,
        RAGJOURNEY,
        JOURNEY,
        journey);
  }

  /** What the Service and the Deployment select pods by. */
  public static Map<String, String> selector(String journey) {
    return Map.of(JOURNEY, journey, COMPONENT, PIPELINE);
  }
}
