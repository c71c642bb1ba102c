package dev.ragjourney.prometheus;

import static dev.ragjourney.prometheus.Labels.CUT;
import static dev.ragjourney.prometheus.Labels.JOURNEY;
import static dev.ragjourney.prometheus.Labels.KIND;
import static dev.ragjourney.prometheus.Labels.LE;
import static dev.ragjourney.prometheus.Labels.LEVEL;
import static dev.ragjourney.prometheus.Labels.NAMESPACE;
import static dev.ragjourney.prometheus.Labels.OUTCOME;
import static dev.ragjourney.prometheus.Labels.REASON;
import static dev.ragjourney.prometheus.Labels.STAGE;

import dev.ragjourney.plan.MetricNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text of a batch's queries: the same three for any number of journeys of one namespace.
 *
 * <p>Counters are summed as {@code sum(max by process (increase))}. The increase is taken of every
 * series by itself, so that restarts are seen; the largest of a process's is taken, so that a pod
 * scraped twice, or by a pair of servers, counts once; only then pods are added up. A process is
 * known by its {@code pod} label, or by {@code instance} where there is none. Pods write their own
 * namespace; a scrape that does not honor it keeps it as {@code exported_namespace}.
 *
 * <p>Which of two labels holds is chosen by selectors, of which most find nothing and cost nothing;
 * to rewrite labels of each series at each step costs the server more than the counting does. For
 * the same reason zeros go first where absent means zero ({@code != 0} keeps NaN).
 */
final class Query {
  /** How a stage's full form is labelled. */
  private static final String FULL_FORM = MetricNames.VARIANT + "=\"v0\"";

  private static final String HAS_POD = "rag_has_pod";
  private static final String EXPORTED = "exported_namespace";
  private static final String POD = "pod";
  private static final String INSTANCE = "instance";

  private final String range;
  private final List<String> matchers;
  private final List<String> namespaces;

  private Query(Duration interval, List<String> extraMatchers, Batch batch) {
    this.range = "[" + interval.toMillis() + "ms]";
    this.matchers = new ArrayList<>(extraMatchers);
    matchers.add(JOURNEY + "=~" + quoted(batch.pattern()));
    String namespace = quoted(batch.namespace());
    this.namespaces =
        List.of(EXPORTED + "=" + namespace, NAMESPACE + "=" + namespace + "," + EXPORTED + "=\"\"");
  }

  /** The queries of one batch, each a range query with the interval as its step. */
  static List<String> of(Duration interval, List<String> extraMatchers, Batch batch) {
    Query query = new Query(interval, extraMatchers, batch);
    return List.of(query.stageLatencies(), query.counts(), query.journeys());
  }

  /** What full-form primaries took, those included that were cut or lost to their fallback. */
  private String stageLatencies() {
    Selector selected =
        new Selector(
            MetricNames.STAGE_DURATION + "_bucket",
            FULL_FORM,
            OUTCOME + "=~\"success|degraded|timeout|cancelled\"",
            CUT + "!=\"caller\"");
    return kind(Kind.LATENCY, grown(selected, STAGE, OUTCOME, CUT, LE));
  }

  private String counts() {
    Selector errors =
        new Selector(MetricNames.STAGE_DURATION + "_count", FULL_FORM, OUTCOME + "=\"error\"");
    Selector notStarted =
        new Selector(
            MetricNames.STAGE_SKIPPED, REASON + "=~\"no_time|level|breaker|overload|drill\"");
    Selector answers = new Selector(MetricNames.ANSWERS, MetricNames.DEADLINE + "=\"own\"");
    Selector fallbacks =
        new Selector(
            MetricNames.BACKEND_CALL + "_count",
            MetricNames.ROLE + "=\"fallback\"",
            OUTCOME + "=~\"success|degraded\"");
    return union(
        kind(Kind.STARTED, growth(new Selector(MetricNames.STAGE_STARTED), "", STAGE)),
        kind(Kind.ERRORS, grown(errors, STAGE)),
        kind(Kind.SKIPPED, grown(notStarted, STAGE, REASON)),
        kind(Kind.ANSWERS, grown(answers, OUTCOME, LEVEL)),
        kind(Kind.FALLBACKS, grown(fallbacks, STAGE)),
        kind(Kind.LOWEST_CAP, cap("min")),
        kind(Kind.HIGHEST_CAP, cap("max")),
        kind(Kind.SCRAPED, scraped()),
        kind(Kind.DOUBLED, doubled()));
  }

  private String journeys() {
    Selector duration = new Selector(MetricNames.JOURNEY_DURATION + "_bucket");
    Selector remaining = new Selector(MetricNames.REMAINING_AT_GENERATE + "_bucket");
    Selector fallback =
        new Selector(
            MetricNames.FALLBACK_DURATION + "_bucket",
            OUTCOME + "=~\"success|degraded|timeout|cancelled\"");
    Selector late =
        new Selector(
            MetricNames.STAGE_LATE + "_bucket", FULL_FORM, OUTCOME + "=~\"success|timeout\"");
    return union(
        kind(Kind.LATE, grown(late, STAGE, OUTCOME, LE)),
        kind(Kind.FALLBACK_LATENCY, grown(fallback, STAGE, OUTCOME, LE)),
        kind(Kind.DURATION, grown(duration, LE)),
        kind(Kind.REMAINING, growth(remaining, "", LE)));
  }

  private record Selector(String metric, List<String> matchers) {
    Selector(String metric, String... matchers) {
      this(metric, List.of(matchers));
    }
  }

  /**
   * The series of the batch under both of the labels that may hold its namespace.
   *
   * @param form of each part, with a place for the selector
   */
  private String both(String form, Selector selector, String... more) {
    return namespaces.stream()
        .map(
            namespace ->
                Stream.of(selector.matchers(), List.of(more), matchers, List.of(namespace))
                    .flatMap(List::stream)
                    .collect(Collectors.joining(",", selector.metric() + "{", "}")))
        .map(form::formatted)
        .collect(Collectors.joining(" or "));
  }

  /** Only {@code timestamp} tells a sample's own time; everything else has the query's. */
  private String scraped() {
    return "max by (%s) (%s)"
        .formatted(JOURNEY, both("timestamp(%s)", new Selector(MetricNames.STAGE_STARTED)));
  }

  /**
   * A pod that is scraped once with and once without the label {@code pod} is taken for two
   * processes. Both have the same {@code instance}.
   */
  private String doubled() {
    String by = JOURNEY + ", " + INSTANCE;
    String labelled =
        "label_replace(%s, \"%s\", \"yes\", \"%s\", \"(.+)\")"
            .formatted(
                both("%s", new Selector(MetricNames.STAGE_STARTED), INSTANCE + "!=\"\""),
                HAS_POD,
                POD);
    return "count by (%s) (count by (%s, %s) (%s)) != 1".formatted(by, by, HAS_POD, labelled);
  }

  /** What counters grew by, where they did. */
  private String grown(Selector selector, String... labels) {
    return growth(selector, " != 0", labels);
  }

  private String growth(Selector selector, String where, String... labels) {
    String by = by(labels);
    String increase = "increase(%s" + range + ")" + where;
    String process = "max by (%s, %s) (%s)";
    String named = process.formatted(by, POD, both(increase, selector, POD + "!=\"\""));
    String unnamed = process.formatted(by, INSTANCE, both(increase, selector, POD + "=\"\""));
    return "sum by (%s) (%s)".formatted(by, union(named, unnamed));
  }

  /** The lowest or highest cap that any pod had at any time of a slice. */
  private String cap(String extreme) {
    return "%s by (%s) (%s)"
        .formatted(
            extreme,
            by(STAGE),
            both(extreme + "_over_time(%s" + range + ")", new Selector(MetricNames.STAGE_CAP)));
  }

  private static String by(String... labels) {
    return Stream.concat(Stream.of(JOURNEY), Stream.of(labels)).collect(Collectors.joining(", "));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String kind(Kind kind, String series) {
    return "label_replace(%s, \"%s\", \"%s\", \"\", \"\")".formatted(series, KIND, kind.label());
  }

  private static String union(String... parts) {
    return String.join(" or ", parts);
  }
}
