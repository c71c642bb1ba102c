package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Label and field selectors. */
final class Selectors {
  private Selectors() {}

  /** {@code a=b,c!=d,e,!f,g in (h,i),j notin (k)}. */
  static Predicate<JsonNode> labels(String selector) {
    Predicate<JsonNode> all = object -> true;
    for (String term : selector.split(",(?![^(]*\\))")) {
      all = all.and(label(term.strip()));
    }
    return all;
  }

  private static Predicate<JsonNode> label(String term) {
    if (term.isEmpty()) {
      return object -> true;
    }
    if (term.endsWith(")")) {
      String[] words = term.split("\\s+", 3);
      List<String> values =
          Arrays.stream(words[2].substring(1, words[2].length() - 1).split(","))
              .map(String::strip)
              .toList();
      boolean in = words[1].equals("in");
      return object -> values.contains(value(object, words[0])) == in;
    }
    if (term.contains("!=")) {
      String[] sides = term.split("!=", 2);
      return object -> !value(object, sides[0]).equals(sides[1]);
    }
    if (term.contains("=")) {
      String[] sides = term.split("==?", 2);
      return object -> labelsOf(object).has(sides[0]) && value(object, sides[0]).equals(sides[1]);
    }
    return term.startsWith("!")
        ? object -> !labelsOf(object).has(term.substring(1))
        : object -> labelsOf(object).has(term);
  }

  /** {@code metadata.name=faq,involvedObject.kind!=Pod}. */
  static Predicate<JsonNode> fields(String selector) {
    Predicate<JsonNode> all = object -> true;
    for (String term : selector.split(",")) {
      if (term.isBlank()) {
        continue;
      }
      boolean unequal = term.contains("!=");
      String[] sides = term.split("!?==?", 2);
      all =
          all.and(
              object ->
                  object.at("/" + sides[0].strip().replace('.', '/')).asText().equals(sides[1])
                      != unequal);
    }
    return all;
  }

  private static JsonNode labelsOf(JsonNode object) {
    return object.path("metadata").path("labels");
  }

  private static String value(JsonNode object, String label) {
    return labelsOf(object).path(label.strip()).asText();
  }
}
