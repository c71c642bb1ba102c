package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.spec.HttpBackend;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a service of the user's own is asked: what only a Tool stage can say, and what it can say.
 */
final class ToolRules {
  private static final Set<String> SOURCES =
      Set.of("question", "vector", "passages", "answer", "remainingMs");
  private static final Set<String> ONE_VALUE = Set.of("question", "answer", "remainingMs");
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");

  private ToolRules() {}

  static void check(String path, @Nullable HttpBackend http, Findings findings) {
    if (http == null) {
      return;
    }
    boolean get = "GET".equals(http.method());
    Map<String, String> request = http.request() == null ? Map.of() : http.request();
    request.forEach(
        (field, source) -> {
          if (!SOURCES.contains(source)) {
            findings.invalid(
                path + ".request." + field,
                "'%s' fills nothing; question, vector, passages, answer or remainingMs is right."
                    .formatted(source));
          } else if (get && !ONE_VALUE.contains(source)) {
            findings.conflict(
                path + ".request." + field,
                "%s does not fit into a query parameter; use method POST or PUT."
                    .formatted(source));
          }
        });
    Map<String, String> response = http.response() == null ? Map.of() : http.response();
    response.forEach(
        (gives, pointer) -> {
          if (!gives.equals("text")) {
            findings.invalid(
                path + ".response." + gives,
                "'%s' is nothing that a tool gives; text is right.".formatted(gives));
          } else if (!POINTER.matcher(pointer).matches()) {
            findings.invalid(
                path + ".response." + gives,
                "'%s' is no JSON pointer; one begins with a slash, like /result/text."
                    .formatted(pointer));
          }
        });
  }

  /** Other stages speak the documented protocol and nothing else. */
  static void checkUse(String path, StageType type, HttpBackend http, Findings findings) {
    boolean toolOnly =
        http.request() != null
            || http.response() != null
            || http.sideEffects() != null
            || http.idempotencyHeader() != null
            || (http.method() != null && !http.method().equals("POST"));
    if (toolOnly && type != StageType.TOOL) {
      findings.conflict(
          path,
          "its backend sets method, request, response, sideEffects or idempotencyHeader, which are for Tool stages; a %s stage posts the documented protocol."
              .formatted(type.label()));
    }
  }
}
