package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.JourneyId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Journeys that are asked for together: at most {@value #MOST} of one namespace.
 *
 * @param names in order
 */
record Batch(String namespace, List<String> names) {
  /** Two pods of five stages give some 40,000 series then, which a server reads in seconds. */
  static final int MOST = 50;

  private static final Pattern SPECIAL = Pattern.compile("[^a-zA-Z0-9_-]");

  Batch {
    names = List.copyOf(names);
  }

  /** All of the journeys, in batches. */
  static List<Batch> of(Collection<JourneyId> journeys) {
    TreeMap<String, TreeSet<String>> byNamespace = new TreeMap<>();
    journeys.forEach(
        id -> byNamespace.computeIfAbsent(id.namespace(), _ -> new TreeSet<>()).add(id.name()));
    List<Batch> batches = new ArrayList<>();
    byNamespace.forEach(
        (namespace, sorted) -> {
          List<String> names = List.copyOf(sorted);
          for (int from = 0; from < names.size(); from += MOST) {
            batches.add(
                new Batch(namespace, names.subList(from, Math.min(from + MOST, names.size()))));
          }
        });
    return batches;
  }

  List<JourneyId> ids() {
    return names.stream().map(name -> new JourneyId(namespace, name)).toList();
  }

  /** A regular expression that matches the names alone. */
  String pattern() {
    return names.stream().map(Batch::literal).collect(Collectors.joining("|"));
  }

  private static String literal(String name) {
    return SPECIAL
        .matcher(name)
        .replaceAll(found -> "\\\\x{" + Integer.toHexString(found.group().codePointAt(0)) + "}");
  }
}
