package dev.ragjourney.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.spec.RagJourneySpec;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a spec that is still plain JSON: its shape, fields that it should not have, its values, and
 * whether its budget can be kept. Whatever is wrong with one spec stays with it.
 */
public final class RawSpecReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private RawSpecReader() {}

  /**
   * @param name the resource's name
   * @param spec null where the resource has none
   */
  public static Reading read(String name, @Nullable JsonNode spec) {
    RagJourneySpec typed;
    try {
      typed = spec == null ? null : JSON.treeToValue(spec, RagJourneySpec.class);
    } catch (JsonProcessingException e) {
      return new Reading.Unreadable(problem("spec", e));
    }
    try {
      List<Finding> unknown = UnknownFields.in(JSON.convertValue(spec, Object.class));
      if (!unknown.isEmpty()) {
        return new Reading.Invalid(unknown);
      }
      return switch (SpecReader.read(name, typed)) {
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
