package dev.ragjourney.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the chart asks Prometheus, in dashboards and alerts. */
public final class Expressions {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Every metric of this project, of its JVM and of its process begins with one of these. */
  private static final Pattern METRIC = Pattern.compile("\\b(?:rag|ragjourney|jvm|process)_\\w+");

  private static final Pattern MATCHERS = Pattern.compile("(\\w+)\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
  private static final Pattern SAMPLE = Pattern.compile("^(\\w+)(?:\\{(.*)})? \\S+$");

  private Expressions() {}

  /** Of all panels of all dashboards. */
  public static List<String> ofDashboards() {
    List<String> found = new ArrayList<>();
    for (Path file : dashboards()) {
      for (JsonNode panel : read(file).path("panels")) {
        panel.path("targets").forEach(target -> found.add(target.path("expr").asText()));
      }
    }
    return found;
  }

  static List<Path> dashboards() {
    try (Stream<Path> files = Files.list(HelmChart.FOLDER.resolve("dashboards"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode read(Path file) {
    try {
      return JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of all alerts. */
  public static List<String> ofAlerts() {
    List<String> found = new ArrayList<>();
    for (JsonNode group : alertGroups()) {
      group.path("rules").forEach(rule -> found.add(rule.path("expr").asText()));
    }
    return found;
  }

  static JsonNode alertGroups() {
    return HelmChart.only(
            HelmChart.render(
                "{crds: {enabled: false}, alerts: {enabled: true, everyJourney: true}, prometheus: {url: 'http://p'}}"),
            "PrometheusRule")
        .at("/spec/groups");
  }

  /**
   * The metrics that expressions name, and the labels that they match, as {@code metric{label}}.
   */
  public static Set<String> named(List<String> expressions) {
    Set<String> named = new TreeSet<>();
    for (String expression : expressions) {
      METRIC.matcher(expression).results().map(MatchResult::group).forEach(named::add);
      MATCHERS
          .matcher(expression)
          .results()
          .forEach(
              selector ->
                  LABEL
                      .matcher(selector.group(2))
                      .results()
                      .forEach(label -> named.add(selector.group(1) + "{" + label.group(1) + "}")));
    }
    return named;
  }

  /** The same of a scrape. */
  public static Set<String> scraped(String exposition) {
    return exposition
        .lines()
        .map(SAMPLE::matcher)
        .filter(java.util.regex.Matcher::matches)
        .flatMap(
            sample -> {
              Set<String> seen = new HashSet<>(Set.of(sample.group(1)));
              if (sample.group(2) != null) {
                LABEL
                    .matcher(sample.group(2))
                    .results()
                    .forEach(label -> seen.add(sample.group(1) + "{" + label.group(1) + "}"));
              }
              return seen.stream();
            })
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
