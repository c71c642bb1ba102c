package dev.ragjourney.crd.parsed;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One backend.
 *
 * @param name referred to by forms
 * @param kind as in the resource, like {@code openai}
 * @param settings the kind's plain fields by their names in the resource
 * @param secrets key of a Secret by field, like {@code apiKey}
 * @param headers sent with every call
 * @param ca certificates to trust; null for the image's own
 * @param connectTimeout the most a connection may take to open
 * @param maxConcurrent the most calls that it gets from one pod at once
 * @param labels free labels such as provider and region
 */
public record ParsedBackend(
    String name,
    String kind,
    Map<String, String> settings,
    Map<String, ObjectKey> secrets,
    List<Header> headers,
    @Nullable ObjectKey ca,
    Duration connectTimeout,
    int maxConcurrent,
    Map<String, String> labels) {
  /** The kind that runs inside the pod, and the name of the backend where a stage names none. */
  public static final String EMBEDDED = "embedded";

  public ParsedBackend {
    settings = Map.copyOf(settings);
    secrets = Map.copyOf(secrets);
    headers = List.copyOf(headers);
    labels = Map.copyOf(labels);
  }

  /** A header with either a plain value or a Secret's. */
  public record Header(String name, @Nullable String value, @Nullable ObjectKey secret) {}
}
