package dev.ragjourney.backends.azure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.SearchQuery;
import java.util.regex.Pattern;

/** {@code {"search", "top", "select", "vectorQueries"?, "queryType"?, …}}. */
final class AzureQuery {
  /** The ranker reads this many, whatever {@code top} is: so many of each kind are to be found. */
  static final int RANKED = 50;

  /**
   * What the service reads as an operator: a minus before a word, a star behind one, the others
   * anywhere.
   */
  private static final Pattern OPERATOR = Pattern.compile("[+|\"()'\\\\]|(?<!\\S)-|\\*(?!\\S)");

  private AzureQuery() {}

  /**
   * @param ranked by the semantic ranker
   */
  static ObjectNode of(AzureIndex index, SearchQuery query, boolean ranked) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    String words = OPERATOR.matcher(query.text()).replaceAll("\\\\$0");
    request.put("search", words).put("top", query.topK()).put("select", fields(index));
    float[] vector = query.vector();
    String vectorField = index.vectorField();
    if (vector != null && vectorField != null && !query.keywordOnly()) {
      ObjectNode near = request.putArray("vectorQueries").addObject().put("kind", "vector");
      near.put("fields", vectorField).put("k", Math.max(RANKED, query.topK()));
      ArrayNode components = near.putArray("vector");
      for (float component : vector) {
        components.add(component);
      }
    }
    if (ranked) {
      request.put("queryType", "semantic");
      request.put("semanticConfiguration", index.semanticConfiguration());
      // Always sent: what the service does without it has changed between its versions.
      request.put("semanticErrorHandling", "partial");
      request.put("semanticMaxWaitInMilliseconds", index.rankerMaxWait().toMillis());
      if (!words.equals(query.text())) {
        request.put("semanticQuery", query.text());
      }
    }
    return request;
  }

  /** Nothing else is fetched: a stored vector is larger than the passage that it is of. */
  private static String fields(AzureIndex index) {
    String fields = index.idField() + "," + index.contentField();
    return index.titleField() == null ? fields : fields + "," + index.titleField();
  }
}
