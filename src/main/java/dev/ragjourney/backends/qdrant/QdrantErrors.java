package dev.ragjourney.backends.qdrant;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code {"status": {"error": "a sentence"}}} in our own words, for what a user can mend. */
final class QdrantErrors {
  private static final Pattern DIMENSION =
      Pattern.compile("expected dim: ([0-9]{1,6}), got ([0-9]{1,6})");
  private static final Pattern VECTOR_NAME =
      Pattern.compile("vector name", Pattern.CASE_INSENSITIVE);
  private static final Pattern COLLECTION =
      Pattern.compile("Collection .*(doesn't exist|not found)", Pattern.CASE_INSENSITIVE);

  private QdrantErrors() {}

  static @Nullable String words(int status, JsonNode body) {
    String error = body.path("status").path("error").asText();
    Matcher dimension = DIMENSION.matcher(error);
    if (dimension.find()) {
      return "the collection's vectors have %s components, the question's has %s"
          .formatted(dimension.group(1), dimension.group(2));
    }
    if (VECTOR_NAME.matcher(error).find()) {
      return "the collection has no vector of this name; vectorField names it";
    }
    return status == 404 && COLLECTION.matcher(error).find() ? "there is no such collection" : null;
  }
}
