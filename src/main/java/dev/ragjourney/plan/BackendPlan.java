package dev.ragjourney.plan;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One backend.
 *
 * @param name referred to by variants
 * @param kind as in the resource: {@code embedded}, {@code openai}, {@code http}, {@code rerank},
 *     {@code tei} …
 * @param settings the kind's plain fields by their names in the resource, nested ones joined by
 *     dots
 * @param secrets mounted file by field, relative to the pod's secrets directory, like {@code apiKey
 *     → llm/token}
 * @param headers sent with every call
 * @param caFile PEM file to trust, relative to the pod's secrets directory; null for the machine's
 *     own
 * @param connectTimeoutMillis the most a connection may take to open
 * @param maxConcurrent the most calls that it gets from one pod at once
 * @param labels free labels such as provider and region, for metrics
 */
public record BackendPlan(
    String name,
    String kind,
    Map<String, String> settings,
    Map<String, String> secrets,
    List<Header> headers,
    @Nullable String caFile,
    long connectTimeoutMillis,
    int maxConcurrent,
    Map<String, String> labels) {
  public BackendPlan {
    settings = Map.copyOf(settings);
    secrets = Map.copyOf(secrets);
    headers = List.copyOf(headers);
    labels = Map.copyOf(labels);
  }

  /** Where a setting stands, for messages. */
  public String path(String setting) {
    return "backends[" + name + "]." + kind + "." + setting;
  }

  /** The same backend with another limit. */
  public BackendPlan withMaxConcurrent(int newMaxConcurrent) {
    return new BackendPlan(
        name,
        kind,
        settings,
        secrets,
        headers,
        caFile,
        connectTimeoutMillis,
        newMaxConcurrent,
        labels);
  }

  /**
   * A header of every call: either a plain value or a mounted file.
   *
   * @param secretFile relative to the pod's secrets directory
   */
  public record Header(String name, @Nullable String value, @Nullable String secretFile) {}
}
