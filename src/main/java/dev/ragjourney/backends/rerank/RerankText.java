package dev.ragjourney.backends.rerank;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.Ranking;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import java.util.List;

/** What rerankers are sent of a passage, and how a list of indices and scores is read. */
final class RerankText {
  private RerankText() {}

  /** The title tells what a passage is about when the passage does not. */
  static String of(Passage passage) {
    return passage.title().isBlank() ? passage.text() : passage.title() + "\n" + passage.text();
  }

  /**
   * @param results an array of {@code {"index", scoreField}}, one for each passage
   */
  static PassagesFound ranked(
      String backend, JsonNode results, String scoreField, List<Passage> passages)
      throws BackendException {
    Ranking ranking = new Ranking(backend, passages);
    for (JsonNode result : results) {
      JsonNode index = result.path("index");
      JsonNode score = result.path(scoreField);
      if (!index.isIntegralNumber() || !index.canConvertToLong() || !score.isNumber()) {
        throw Failures.invalid(
            backend, "a result without a whole \"index\" and a number \"" + scoreField + "\"");
      }
      ranking.score(index.longValue(), score.doubleValue());
    }
    return ranking.found();
  }
}
