package dev.ragjourney.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.budget.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A field of a file, with its path. What is wrong is collected, so that a person sees all of it at
 * once; a wrong value reads as the given default.
 *
 * @param node a missing one for a field that is not there
 * @param problems found so far in the whole file
 */
record Field(String path, JsonNode node, List<String> problems) {
  static Field root(JsonNode node) {
    return new Field("", node, new ArrayList<>());
  }

  void problem(String message) {
    problems.add((path.isEmpty() ? "the file" : path) + ": " + message);
  }

  boolean given() {
    return !node.isMissingNode() && !node.isNull();
  }

  Field at(String name) {
    return new Field(path.isEmpty() ? name : path + "." + name, node.path(name), problems);
  }

  /** Says which fields there may be, where one is none of them. */
  Field only(Set<String> known) {
    for (String name : fields().keySet()) {
      if (!known.contains(name)) {
        at(name).problem("is no field here; the fields are " + String.join(", ", known));
      }
    }
    return this;
  }

  Map<String, Field> fields() {
    Map<String, Field> fields = new LinkedHashMap<>();
    if (node.isObject()) {
      node.fieldNames().forEachRemaining(name -> fields.put(name, at(name)));
    } else if (given()) {
      problem("is " + shown() + "; an object of fields is needed here");
    }
    return fields;
  }

  List<Field> items() {
    List<Field> items = new ArrayList<>();
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        items.add(new Field(path + "[" + i + "]", node.get(i), problems));
      }
    } else if (given()) {
      problem("is " + shown() + "; a list is needed here");
    }
    return items;
  }

  /** A number, or a text that is one; a share may be a percentage. */
  double number(double least, double most, double otherwise) {
    if (!given()) {
      return otherwise;
    }
    String text = node.asText("").strip();
    try {
      boolean percent = text.endsWith("%");
      double value =
          percent
              ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
              : Double.parseDouble(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, like a number out of its range.
    }
    problem(
        "is %s; a number from %s to %s is needed".formatted(shown(), plain(least), plain(most)));
    return otherwise;
  }

  int whole(int least, int most, int otherwise) {
    double value = number(least, most, otherwise);
    if (value != Math.rint(value)) {
      problem("is " + shown() + "; a whole number is needed");
      return otherwise;
    }
    return (int) value;
  }

  long anyWhole(long otherwise) {
    if (!given()) {
      return otherwise;
    }
    try {
      return Long.parseLong(node.asText("").strip());
    } catch (NumberFormatException notANumber) {
      problem("is " + shown() + "; a whole number is needed");
      return otherwise;
    }
  }

  /** Null where it is wrong. */
  @Nullable Duration duration(boolean zeroAllowed) {
    if (!given()) {
      problem("is missing; write a duration like 120ms");
      return null;
    }
    if (!node.isTextual()) {
      problem("is " + shown() + "; write a duration with its unit, like 120ms");
      return null;
    }
    try {
      return zeroAllowed ? Durations.parse(node.asText()) : Durations.parsePositive(node.asText());
    } catch (IllegalArgumentException wrong) {
      problem(String.valueOf(wrong.getMessage()));
      return null;
    }
  }

  /** As the file has it, but short. */
  String shown() {
    String text = node.isTextual() ? "'" + node.asText() + "'" : node.toString();
    return text.length() <= 60 ? text : text.substring(0, 57) + "…";
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
