package dev.ragjourney.operator.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.SpecReader;
import dev.ragjourney.crd.SpecReading;
import dev.ragjourney.crd.UnknownFields;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps one raw resource; whatever is wrong with it stays with it. */
public final class JourneyReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private JourneyReader() {}

  public static Journey read(RawJourney raw) {
    ObjectMeta metadata = raw.getMetadata();
    return new Journey(
        new JourneyId(metadata.getNamespace(), metadata.getName()),
        metadata.getUid() == null ? "" : metadata.getUid(),
        metadata.getGeneration() == null ? 0 : metadata.getGeneration(),
        reading(metadata.getName(), raw.getSpec()),
        status(raw.getStatus()));
  }

  private static Reading reading(String name, @Nullable JsonNode json) {
    RagJourneySpec spec;
    try {
      spec = json == null ? null : JSON.treeToValue(json, RagJourneySpec.class);
    } catch (JsonProcessingException e) {
      return new Reading.Unreadable(problem("spec", e));
    }
    try {
      List<Finding> unknown = UnknownFields.in(JSON.convertValue(json, Object.class));
      if (!unknown.isEmpty()) {
        return new Reading.Invalid(unknown);
      }
      return switch (SpecReader.read(name, spec)) {
        case SpecReading.Valid(var journey) -> feasible(journey);
        case SpecReading.Invalid(var findings) -> new Reading.Invalid(findings);
      };
    } catch (RuntimeException e) {
      // A defect in the reading of one spec must not stop the others.
      return new Reading.Unreadable("the spec could not be read: " + e);
    }
  }

  private static Reading feasible(ParsedJourney journey) {
    return Feasibility.check(journey.budget()) instanceof Feasibility.Refused refused
        ? new Reading.Invalid(refused.findings())
        : new Reading.Valid(journey);
  }

  private static @Nullable RagJourneyStatus status(@Nullable JsonNode json) {
    try {
      return json == null ? null : JSON.treeToValue(json, RagJourneyStatus.class);
    } catch (JsonProcessingException e) {
      // Written anew as a whole.
      return null;
    }
  }

  private static String problem(String root, JsonProcessingException e) {
    String path =
        e instanceof JsonMappingException mapping
            ? mapping.getPath().stream()
                .map(
                    step ->
                        step.getFieldName() == null
                            ? "[" + step.getIndex() + "]"
                            : "." + step.getFieldName())
                .collect(Collectors.joining("", root, ""))
            : root;
    String message = e.getOriginalMessage();
    int end = message.indexOf('\n');
    return path + ": " + (end < 0 ? message : message.substring(0, end));
  }
}
