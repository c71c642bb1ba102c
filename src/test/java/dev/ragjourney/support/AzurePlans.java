package dev.ragjourney.support;

import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plans of backends of Azure; their key is mounted at {@code azure/key}. */
public final class AzurePlans {
  private AzurePlans() {}

  /**
   * The deployment {@code big}, as the backend {@code llm}.
   *
   * @param settings more of them, names and values in turn
   */
  public static BackendPlan openAi(URI endpoint, String... settings) {
    return plan("llm", "azureOpenai", endpoint, "deployment", "big", settings);
  }

  /** The index of this name, as the backend {@code docs}. */
  public static BackendPlan search(URI endpoint, String index, String... settings) {
    return plan("docs", "azureSearch", endpoint, "index", index, settings);
  }

  private static BackendPlan plan(
      String name, String kind, URI endpoint, String field, String value, String... settings) {
    Map<String, String> all = new TreeMap<>(Map.of("endpoint", endpoint.toString(), field, value));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new BackendPlan(
        name, kind, all, Map.of("apiKey", "azure/key"), List.of(), null, 2000, 100, Map.of());
  }
}
