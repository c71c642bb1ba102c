package dev.ragjourney.support.prometheus;

import java.util.HashMap;
import java.util.Map;

/** Reads the lines of Prometheus' text format 0.0.4. */
final class ExpositionText {
  private ExpositionText() {}

  /** Takes one sample. */
  interface Sink {
    void sample(String metric, Map<String, String> labels, double value);
  }

  static void read(String text, Sink sink) {
    text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(line -> sample(line, sink));
  }

  private static void sample(String line, Sink sink) {
    int open = line.indexOf('{');
    int space = line.indexOf(' ');
    Map<String, String> labels = new HashMap<>();
    String metric;
    int end;
    if (open >= 0 && open < space) {
      metric = line.substring(0, open);
      end = labels(line, open + 1, labels);
    } else {
      metric = line.substring(0, space);
      end = space;
    }
    String[] values = line.substring(end).strip().split(" ");
    sink.sample(metric, labels, number(values[0]));
  }

  /** The index behind the closing brace. */
  private static int labels(String line, int start, Map<String, String> labels) {
    int position = start;
    while (line.charAt(position) != '}') {
      int equals = line.indexOf('=', position);
      String name = line.substring(position, equals).strip();
      StringBuilder value = new StringBuilder();
      position = equals + 2;
      while (line.charAt(position) != '"') {
        char character = line.charAt(position++);
        if (character == '\\') {
          char escaped = line.charAt(position++);
          value.append(escaped == 'n' ? '\n' : escaped);
        } else {
          value.append(character);
        }
      }
      position++;
      if (!value.isEmpty()) {
        labels.put(name, value.toString());
      }
      if (line.charAt(position) == ',') {
        position++;
      }
    }
    return position + 1;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
