package dev.ragjourney.backends.embedded.documents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads one JSON object a line: {@code text} is needed, {@code title} and {@code id} are not. A
 * line that cannot be read is a problem with its number; the other lines are kept.
 */
final class JsonLines {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** A file of another kind would give as many problems as it has lines. */
  private static final int MOST_PROBLEMS_A_FILE = 20;

  private JsonLines() {}

  static List<Document> parse(
      String source, String fallbackTitle, String text, List<DocumentProblem> problems) {
    List<Document> documents = new ArrayList<>();
    int bad = 0;
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isBlank()) {
        continue;
      }
      try {
        documents.add(document(source, fallbackTitle, JSON.readTree(line)));
      } catch (JsonProcessingException e) {
        // The parser's own message quotes the text.
        String column =
            e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
        bad = add(problems, bad, source, i + 1, "is not JSON" + column);
      } catch (BadRecordException e) {
        bad = add(problems, bad, source, i + 1, e.message);
      }
    }
    if (bad > MOST_PROBLEMS_A_FILE) {
      String message = bad + " of its lines could not be read; the first ones are named";
      problems.add(new DocumentProblem(source, null, message));
    }
    return documents;
  }

  private static int add(
      List<DocumentProblem> problems, int bad, String source, int line, String message) {
    if (bad < MOST_PROBLEMS_A_FILE) {
      String right =
          "; a line is {\"id\": …, \"title\": …, \"text\": …}, where only text is needed";
      problems.add(new DocumentProblem(source, line, message + right));
    }
    return bad + 1;
  }

  private static Document document(String source, String fallbackTitle, JsonNode record)
      throws BadRecordException {
    if (!record.isObject()) {
      throw new BadRecordException("is a JSON " + name(record) + ", not an object");
    }
    JsonNode text = record.path("text");
    if (!text.isTextual() || text.textValue().isBlank()) {
      throw new BadRecordException(
          text.isMissingNode() ? "has no field text" : "has a field text without text in it");
    }
    String id = scalar(record, "id");
    String title = scalar(record, "title");
    return PlainText.parseBody(
        id.isEmpty() ? source : source + "/" + id,
        title.isEmpty() ? fallbackTitle : title,
        text.textValue());
  }

  private static String scalar(JsonNode record, String field) throws BadRecordException {
    JsonNode value = record.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual() && !value.isNumber()) {
      throw new BadRecordException("has a field " + field + " that is a JSON " + name(value));
    }
    return value.asText().strip();
  }

  private static String name(JsonNode node) {
    return node.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private static final class BadRecordException extends Exception {
    private final String message;

    BadRecordException(String message) {
      super(message, null, false, false);
      this.message = message;
    }
  }
}
