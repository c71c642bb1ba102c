package dev.ragjourney.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the answer of a range query as a stream: only one series is in memory at a time. */
final class MatrixParser {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int LONGEST_MESSAGE = 300;

  private final SeriesSink sink;
  private @Nullable String status;
  private String error = "";
  private boolean matrix;
  private @Nullable String incomplete;

  private MatrixParser(SeriesSink sink) {
    this.sink = sink;
  }

  /** Hands all series to the sink. What the sink got before a failure is to be thrown away. */
  static void parse(InputStream in, SeriesSink sink) throws IOException, QueryFailedException {
    MatrixParser answer = new MatrixParser(sink);
    try (JsonParser json = JSON.createParser(in)) {
      answer.document(json);
    } catch (JsonParseException e) {
      throw new QueryFailedException(
          "the answer is no valid JSON: " + shortened(e.getOriginalMessage()));
    }
    answer.check();
  }

  private void document(JsonParser json) throws IOException, QueryFailedException {
    expect(json, json.nextToken(), JsonToken.START_OBJECT);
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken value = json.nextToken();
      switch (name) {
        case "status" -> status = json.getValueAsString();
        case "errorType" -> error = json.getValueAsString("") + ": " + error;
        case "error" -> error += json.getValueAsString("");
        case "warnings" -> warnings(json, value);
        case "isPartial" -> {
          if (value == JsonToken.VALUE_TRUE) {
            incomplete = "the server calls its answer partial";
          }
        }
        case "data" -> data(json, value);
        default -> json.skipChildren();
      }
    }
    expect(json, json.currentToken(), JsonToken.END_OBJECT);
  }

  private void check() throws QueryFailedException {
    if (status == null) {
      throw new QueryFailedException("the answer has no status; is this Prometheus' HTTP API?");
    }
    if (!status.equals("success")) {
      throw new QueryFailedException("the server says " + shortened(error));
    }
    if (incomplete != null) {
      throw new QueryFailedException("the answer is incomplete: " + shortened(incomplete));
    }
    if (!matrix) {
      throw new QueryFailedException("the answer is no matrix");
    }
  }

  private void warnings(JsonParser json, JsonToken value) throws IOException {
    if (value == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (incomplete == null) {
          incomplete = json.getValueAsString("");
        }
        json.skipChildren();
      }
    }
  }

  private void data(JsonParser json, JsonToken value) throws IOException, QueryFailedException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    expect(json, value, JsonToken.START_OBJECT);
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken token = json.nextToken();
      switch (name) {
        case "resultType" -> matrix = "matrix".equals(json.getValueAsString());
        case "result" -> {
          expect(json, token, JsonToken.START_ARRAY);
          while (json.nextToken() != JsonToken.END_ARRAY) {
            series(json);
          }
        }
        default -> json.skipChildren();
      }
    }
  }

  private void series(JsonParser json) throws IOException, QueryFailedException {
    expect(json, json.currentToken(), JsonToken.START_OBJECT);
    Map<String, String> labels = new HashMap<>();
    Points points = new Points();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken token = json.nextToken();
      switch (name) {
        case "metric" -> labels(json, token, labels);
        case "values" -> points(json, token, points);
        default -> json.skipChildren();
      }
    }
    sink.series(labels, points.millis(), points.values());
  }

  private static void labels(JsonParser json, JsonToken token, Map<String, String> labels)
      throws IOException, QueryFailedException {
    expect(json, token, JsonToken.START_OBJECT);
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      labels.put(name, json.getValueAsString(""));
    }
  }

  private static void points(JsonParser json, JsonToken token, Points points)
      throws IOException, QueryFailedException {
    expect(json, token, JsonToken.START_ARRAY);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json, json.currentToken(), JsonToken.START_ARRAY);
      JsonToken time = json.nextToken();
      if (!time.isNumeric()) {
        throw unexpected(json, time);
      }
      long millis = Math.round(json.getDoubleValue() * 1e3);
      expect(json, json.nextToken(), JsonToken.VALUE_STRING);
      points.add(millis, value(json.getText()));
      expect(json, json.nextToken(), JsonToken.END_ARRAY);
    }
  }

  private static double value(String text) throws QueryFailedException {
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          throw new QueryFailedException(
              "the answer has a value that is no number: " + shortened(text));
        }
      }
    };
  }

  private static void expect(JsonParser json, @Nullable JsonToken found, JsonToken wanted)
      throws QueryFailedException {
    if (found != wanted) {
      throw unexpected(json, found);
    }
  }

  private static QueryFailedException unexpected(JsonParser json, @Nullable JsonToken found) {
    return new QueryFailedException(
        "the answer has not the shape of a range query's: "
            + (found == null ? "it ends" : found)
            + " at "
            + json.getParsingContext().pathAsPointer());
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
  }

  /** Grows as points come. */
  private static final class Points {
    private long[] millis = new long[8];
    private double[] values = new double[8];
    private int count;

    void add(long time, double value) {
      if (count == millis.length) {
        millis = Arrays.copyOf(millis, count * 2);
        values = Arrays.copyOf(values, count * 2);
      }
      millis[count] = time;
      values[count] = value;
      count++;
    }

    long[] millis() {
      return Arrays.copyOf(millis, count);
    }

    double[] values() {
      return Arrays.copyOf(values, count);
    }
  }
}
