package dev.ragjourney.backends.azure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code {"value": [{"@search.score", "@search.rerankerScore"?, …}],
 * "@search.semanticPartialResponseReason"?}}.
 *
 * @param backend its name, the first word of every complaint
 */
record AzureAnswer(String backend, AzureIndex index, JsonNode answer) {
  private static final String SCORE = "@search.score";
  private static final String RANKER_SCORE = "@search.rerankerScore";

  /** In the service's order, which is best first. */
  List<Passage> passages() throws BackendException {
    String scoreField = rankedThroughout() ? RANKER_SCORE : SCORE;
    List<Passage> passages = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < found().size(); i++) {
      JsonNode document = found().get(i);
      String where = "value[" + i + "]";
      String id = text(document, where, index.idField());
      if (id.isBlank()) {
        throw Failures.invalid(backend, where + " has no key in its field " + index.idField());
      }
      if (!ids.add(id)) {
        throw Failures.invalid(backend, where + " is there already");
      }
      JsonNode score = document.path(scoreField);
      if (!score.isNumber() || !Double.isFinite(score.doubleValue())) {
        throw Failures.invalid(backend, where + "." + scoreField + " is no finite number");
      }
      String titleField = index.titleField();
      String title = titleField == null ? "" : text(document, where, titleField);
      String content = text(document, where, index.contentField());
      // A document without text is nothing that a model could read.
      if (!content.isBlank()) {
        passages.add(new Passage(id, title, content, score.doubleValue()));
      }
    }
    return passages;
  }

  /** Why the answer to a ranked query is less than it should be; null if it is whole. */
  @Nullable String degradedReason() throws BackendException {
    JsonNode partial = answer.path("@search.semanticPartialResponseReason");
    if (!partial.isMissingNode() && !partial.isNull()) {
      return switch (partial.asText()) {
        case "maxWaitExceeded" -> "ranker_max_wait";
        case "capacityOverloaded" -> "ranker_overloaded";
        case "transient" -> "ranker_transient";
        default -> "ranker_partial";
      };
    }
    int ranked = Math.min(found().size(), AzureQuery.RANKED);
    for (int i = 0; i < ranked; i++) {
      if (!found().get(i).path(RANKER_SCORE).isNumber()) {
        return "ranker_no_scores";
      }
    }
    return null;
  }

  private boolean rankedThroughout() throws BackendException {
    for (JsonNode document : found()) {
      if (!document.path(RANKER_SCORE).isNumber()) {
        return false;
      }
    }
    return true;
  }

  private JsonNode found() throws BackendException {
    JsonNode value = answer.path("value");
    if (!value.isArray()) {
      throw Failures.invalid(backend, "the answer has no list \"value\"");
    }
    return value;
  }

  /** Empty where the document has none. */
  private String text(JsonNode document, String where, String field) throws BackendException {
    JsonNode text = document.path(field);
    if (text.isMissingNode() || text.isNull()) {
      return "";
    }
    if (!text.isTextual()) {
      throw Failures.invalid(backend, where + "." + field + " is no text");
    }
    return text.asText();
  }
}
