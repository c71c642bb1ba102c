package dev.ragjourney.backends.qdrant;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the points of an answer as passages. */
record QdrantPoints(String backend, QdrantCollection collection) {
  /** At most {@code topK} passages, best first. */
  PassagesFound passages(JsonNode answer, int topK) throws BackendException {
    if (answer.path("status").has("error")) {
      throw Failures.invalid(backend, "an error with status 200");
    }
    JsonNode points = answer.path("result").path("points");
    if (!points.isArray()) {
      throw Failures.invalid(backend, "the answer has no list \"result.points\"");
    }
    List<Passage> found = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < points.size(); i++) {
      Passage passage = passage(points.get(i), "result.points[" + i + "]");
      if (!ids.add(passage.id())) {
        throw Failures.invalid(backend, "result.points[" + i + "].id is there already");
      }
      found.add(passage);
    }
    List<Passage> best = new ArrayList<>(largerIsBetter(found));
    best.sort(Comparator.comparingDouble(Passage::score).reversed());
    return PassagesFound.whole(best.subList(0, Math.min(topK, best.size())));
  }

  /**
   * Scores of a collection that measures distances grow from the best point to the worst: they are
   * turned round, because of a passage the larger score is the better one.
   */
  private static List<Passage> largerIsBetter(List<Passage> found) {
    boolean distances = !found.isEmpty() && found.getFirst().score() < found.getLast().score();
    return distances
        ? found.stream().map(passage -> passage.withScore(-passage.score())).toList()
        : found;
  }

  private Passage passage(JsonNode point, String where) throws BackendException {
    JsonNode id = point.path("id");
    if (!id.isIntegralNumber() && !id.isTextual()) {
      throw Failures.invalid(backend, where + ".id is neither a whole number nor a text");
    }
    JsonNode score = point.path("score");
    if (!score.isNumber() || !Double.isFinite(score.doubleValue())) {
      throw Failures.invalid(backend, where + ".score is no finite number");
    }
    JsonNode text = at(point.path("payload"), collection.contentField());
    if (!text.isTextual() || text.asText().isBlank()) {
      throw Failures.invalid(
          backend,
          where
              + ".payload has no text in \""
              + collection.contentField()
              + "\": see contentField");
    }
    JsonNode title = at(point.path("payload"), collection.titleField());
    return new Passage(
        id.asText(), title.isTextual() ? title.asText() : "", text.asText(), score.doubleValue());
  }

  private static JsonNode at(JsonNode payload, String path) {
    JsonNode value = payload;
    for (String step : path.split("\\.", -1)) {
      value = value.path(step);
    }
    return value;
  }
}
