package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One answer as the client saw it.
 *
 * @param latencyNanos from the time at which the question should have been sent to the last byte
 * @param status of the HTTP response; 0 where there was none
 * @param body the answer's facts; null where it was no JSON
 * @param failure what went wrong on the way; null for nothing
 */
record Reply(long latencyNanos, int status, @Nullable JsonNode body, @Nullable String failure) {
  /** An answer of any kind came, the static one included. */
  boolean answered() {
    return status == 200 && body != null;
  }

  boolean degraded() {
    return body != null && body.path("degraded").asBoolean();
  }

  boolean overBudget() {
    return body == null || body.path("overBudget").asBoolean();
  }

  boolean full() {
    return answered() && !degraded() && !overBudget();
  }

  /** By the name that the journey gives it; empty where there is no answer. */
  String level() {
    return body == null ? "" : body.path("level").asText();
  }

  boolean truncated() {
    return body != null && body.path("truncated").asBoolean();
  }

  List<String> skipped() {
    List<String> stages = new ArrayList<>();
    if (body != null) {
      body.path("skipped").forEach(each -> stages.add(each.path("stage").asText()));
    }
    return stages;
  }

  List<String> sources() {
    List<String> ids = new ArrayList<>();
    if (body != null) {
      body.path("sources").forEach(each -> ids.add(each.path("id").asText()));
    }
    return ids;
  }
}
