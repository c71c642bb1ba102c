package dev.ragjourney.operator.desired;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.parsed.Documents;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A plan as a ConfigMap, and back. */
public final class PlanObjects {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private PlanObjects() {}

  /**
   * {@code NAME-plan-HASH}: the hash covers what the pod template must provide, so that pods of an
   * older template never load a plan that needs files they do not mount.
   */
  public static String name(String journey, ParsedJourney parsed, String defaultImage) {
    String image = image(parsed, defaultImage);
    String documents =
        switch (parsed.documents()) {
          case null -> "none";
          case Documents.FromConfigMap(String name) -> "configMap " + name;
          case Documents.FromClaim(String claimName) -> "claim " + claimName;
        };
    List<String> provided = List.of(image, documents, String.join("\n", MountedKeys.files(parsed)));
    return journey + "-plan-" + Digest.of(String.join("\n\n", provided));
  }

  static String image(ParsedJourney parsed, String defaultImage) {
    String pinned = parsed.workload().image();
    return pinned == null ? defaultImage : pinned;
  }

  public static LivePlan read(ConfigMap map) {
    Map<String, String> annotations = map.getMetadata().getAnnotations();
    String moved = annotations == null ? null : annotations.get(Labels.LAST_MOVE);
    String changed = annotations == null ? null : annotations.get(Labels.STAGES_CHANGED);
    String json = map.getData() == null ? null : map.getData().get(Plan.FILE);
    return new LivePlan(map, plan(json), lastMove(moved), changed(changed));
  }

  /** A plan that cannot be read counts as absent: the next write puts it right. */
  private static @Nullable Plan plan(@Nullable String json) {
    try {
      return json == null ? null : PlanCodec.read(json);
    } catch (InvalidPlanException e) {
      return null;
    }
  }

  private static @Nullable LastMove lastMove(@Nullable String json) {
    try {
      return json == null ? null : JSON.readValue(json, LastMove.class);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static Map<String, Instant> changed(@Nullable String json) {
    Map<String, Instant> times = new HashMap<>();
    try {
      Map<String, String> texts =
          json == null ? Map.of() : JSON.readValue(json, new TypeReference<>() {});
      texts.forEach((stage, time) -> times.put(stage, Instant.parse(time)));
      return times;
    } catch (JsonProcessingException | DateTimeException e) {
      return Map.of();
    }
  }

  /**
   * @param changed by stage, when its spec last changed
   * @param resourceVersion that was read, so that a stale writer gets a conflict; null to create
   */
  static ConfigMap write(
      Owner owner,
      String name,
      Plan plan,
      @Nullable LastMove lastMove,
      Map<String, Instant> changed,
      @Nullable String resourceVersion)
      throws InvalidPlanException {
    Map<String, String> annotations = new HashMap<>();
    if (lastMove != null) {
      annotations.put(Labels.LAST_MOVE, json(lastMove));
    }
    if (!changed.isEmpty()) {
      Map<String, String> times = new TreeMap<>();
      changed.forEach((stage, time) -> times.put(stage, time.toString()));
      annotations.put(Labels.STAGES_CHANGED, json(times));
    }
    return new ConfigMapBuilder()
        .withMetadata(
            owner
                .metadata(name)
                .withAnnotations(annotations)
                .withResourceVersion(resourceVersion)
                .build())
        .withData(Map.of(Plan.FILE, PlanCodec.write(plan)))
        .build();
  }

  private static String json(Object remembered) {
    try {
      return JSON.writeValueAsString(remembered);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what is remembered is always writable", e);
    }
  }
}
