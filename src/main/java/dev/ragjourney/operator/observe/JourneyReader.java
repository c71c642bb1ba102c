package dev.ragjourney.operator.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.ResourceFields;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps one raw resource; whatever is wrong with it stays with it. */
public final class JourneyReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private JourneyReader() {}

  public static Journey read(RawJourney raw) {
    ObjectMeta metadata = raw.getMetadata();
    return new Journey(
        raw.id(),
        metadata.getUid() == null ? "" : metadata.getUid(),
        metadata.getGeneration() == null ? 0 : metadata.getGeneration(),
        RagJourney.paused(metadata.getAnnotations()),
        RawSpecReader.read(metadata.getName(), raw.getSpec()),
        status(raw.getStatus()));
  }

  /**
   * The status as a CRD without these fields can keep it. The API server would refuse it as a
   * whole.
   *
   * @param fields paths like {@code status.rungs}
   */
  public static RagJourneyStatus without(RagJourneyStatus status, Set<String> fields) {
    if (fields.isEmpty()) {
      return status;
    }
    JsonNode json = JSON.valueToTree(status);
    ResourceFields.remove("status", json, fields);
    try {
      return JSON.treeToValue(json, RagJourneyStatus.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a status with fewer fields is a status", e);
    }
  }

  private static @Nullable RagJourneyStatus status(@Nullable JsonNode json) {
    try {
      return json == null ? null : JSON.treeToValue(json, RagJourneyStatus.class);
    } catch (JsonProcessingException e) {
      // Written anew as a whole.
      return null;
    }
  }
}
