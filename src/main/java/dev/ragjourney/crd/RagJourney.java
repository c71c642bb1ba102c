package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A RAG pipeline under one latency budget. */
@ValidationRule(
    value =
        "size(self.metadata.name) <= 45 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message =
        "metadata.name names Services and labels: at most 45 lowercase letters, digits and '-', a letter first and no '-' last")
@AdditionalPrinterColumn(
    name = "READY",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "BUDGET", jsonPath = ".spec.budget.total")
@AdditionalPrinterColumn(name = "P95", jsonPath = ".status.journey.p95")
@AdditionalPrinterColumn(name = "WITHIN", jsonPath = ".status.journey.withinBudgetRatio")
@AdditionalPrinterColumn(name = "DEGRADED", jsonPath = ".status.journey.degradedRatio")
@AdditionalPrinterColumn(name = "LEVEL", jsonPath = ".status.journey.usualLevel")
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "PLAN", jsonPath = ".status.plan.summary", priority = 1)
@AdditionalPrinterColumn(name = "RULE", jsonPath = ".status.effective.rule", priority = 1)
@AdditionalPrinterColumn(
    name = "ATTAINABLE",
    jsonPath = ".status.journey.attainableRatio",
    priority = 1)
@AdditionalPrinterColumn(
    name = "MESSAGE",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    priority = 1)
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
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** On everything that belongs to a journey: its name. */
  public static final String JOURNEY_LABEL = GROUP + "/journey";

  /** On the resource: {@code "true"} leaves all caps where they are for now. */
  public static final String PAUSED = GROUP + "/paused";

  /** Whether the resource's annotations ask for a pause. */
  public static boolean paused(@Nullable Map<String, String> annotations) {
    return annotations != null && "true".equals(annotations.get(PAUSED));
  }
}
