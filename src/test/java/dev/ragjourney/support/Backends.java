package dev.ragjourney.support;

import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plans of single backends. */
public final class Backends {
  private Backends() {}

  /**
   * @param settings names and values in turn
   */
  public static BackendPlan plan(String name, String kind, URI url, String... settings) {
    Map<String, String> all = new TreeMap<>();
    all.put("url", url.toString());
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new BackendPlan(name, kind, all, Map.of(), List.of(), null, 2000, 100, Map.of());
  }

  public static BackendPlan withApiKey(BackendPlan plan, String secretFile) {
    return new BackendPlan(
        plan.name(),
        plan.kind(),
        plan.settings(),
        Map.of("apiKey", secretFile),
        plan.headers(),
        plan.caFile(),
        plan.connectTimeoutMillis(),
        plan.maxConcurrent(),
        plan.labels());
  }

  public static BackendPlan withHeaders(BackendPlan plan, BackendPlan.Header... headers) {
    return new BackendPlan(
        plan.name(),
        plan.kind(),
        plan.settings(),
        plan.secrets(),
        List.of(headers),
        plan.caFile(),
        plan.connectTimeoutMillis(),
        plan.maxConcurrent(),
        plan.labels());
  }

  public static BackendPlan withCa(BackendPlan plan, String caFile) {
    return new BackendPlan(
        plan.name(),
        plan.kind(),
        plan.settings(),
        plan.secrets(),
        plan.headers(),
        caFile,
        plan.connectTimeoutMillis(),
        plan.maxConcurrent(),
        plan.labels());
  }
}
