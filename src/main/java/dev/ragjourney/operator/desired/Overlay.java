package dev.ragjourney.operator.desired;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.crd.spec.PodOverlay;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a user adds to the pods, in Kubernetes' own types. Only shapes are checked here; whether the
 * values make sense is for the API server to say.
 */
record Overlay(
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<Toleration> tolerations,
    @Nullable Affinity affinity,
    List<TopologySpreadConstraint> topologySpreadConstraints,
    List<EnvVar> env,
    List<Volume> volumes,
    List<VolumeMount> volumeMounts,
    List<Container> sidecars,
    @Nullable String priorityClassName) {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final String PATH = "spec.workload.podTemplate.";
  private static final PodOverlay NOTHING =
      new PodOverlay(null, null, null, null, null, null, null, null, null, null, null);

  static Overlay of(@Nullable PodOverlay given) throws InvalidOverlayException {
    PodOverlay overlay = Objects.requireNonNullElse(given, NOTHING);
    Map<String, Object> affinity = overlay.affinity();
    return new Overlay(
        map(overlay.labels()),
        map(overlay.annotations()),
        map(overlay.nodeSelector()),
        list("tolerations", overlay.tolerations(), Toleration.class),
        affinity == null ? null : convert(PATH + "affinity", affinity, Affinity.class),
        list(
            "topologySpreadConstraints",
            overlay.topologySpreadConstraints(),
            TopologySpreadConstraint.class),
        list("env", overlay.env(), EnvVar.class),
        list("volumes", overlay.volumes(), Volume.class),
        list("volumeMounts", overlay.volumeMounts(), VolumeMount.class),
        list("sidecars", overlay.sidecars(), Container.class),
        overlay.priorityClassName());
  }

  static <T> T convert(String path, Object value, Class<T> type) throws InvalidOverlayException {
    try {
      return JSON.convertValue(value, type);
    } catch (IllegalArgumentException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), "unreadable");
      int end = message.indexOf('\n');
      throw new InvalidOverlayException(
          path, "not as in a Pod: " + (end < 0 ? message : message.substring(0, end)));
    }
  }

  private static <T> List<T> list(
      String field, @Nullable List<Map<String, Object>> values, Class<T> type)
      throws InvalidOverlayException {
    List<T> list = new ArrayList<>();
    if (values != null) {
      for (int i = 0; i < values.size(); i++) {
        list.add(convert(PATH + field + "[" + i + "]", values.get(i), type));
      }
    }
    return list;
  }

  private static Map<String, String> map(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
