package dev.ragjourney.prometheus;

import static dev.ragjourney.prometheus.Labels.CUT;
import static dev.ragjourney.prometheus.Labels.JOURNEY;
import static dev.ragjourney.prometheus.Labels.KIND;
import static dev.ragjourney.prometheus.Labels.LE;
import static dev.ragjourney.prometheus.Labels.LEVEL;
import static dev.ragjourney.prometheus.Labels.NAMESPACE;
import static dev.ragjourney.prometheus.Labels.OUTCOME;
import static dev.ragjourney.prometheus.Labels.PROCESS;
import static dev.ragjourney.prometheus.Labels.REASON;
import static dev.ragjourney.prometheus.Labels.STAGE;

import dev.ragjourney.plan.MetricNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The text of a round's queries: the same three for any number of journeys.
 *
 * <p>Counters are summed as {@code sum(max by process (increase))}. The increase is taken of every
 * series by itself, so that restarts are seen; the largest of a process's is taken, so that a pod
 * scraped twice, or by a pair of servers, counts once; only then pods are added up. A process is
 * known by its {@code pod} label, or by {@code instance} where there is none. Pods write their own
 * namespace; a scrape that does not honor it keeps it as {@code exported_namespace}.
 *
 * <p>Series that would be zero are left out where absent means zero ({@code != 0} keeps NaN).
 */
final class Query {
  /** How a stage's full form is labelled. */
  private static final String FULL_FORM = MetricNames.VARIANT + "=\"v0\"";

  private static final String HAS_POD = "rag_has_pod";

  private final String range;
  private final List<String> extraMatchers;

  private Query(Duration interval, List<String> extraMatchers) {
    this.range = "[" + interval.toMillis() + "ms]";
    this.extraMatchers = extraMatchers;
  }

  /** The queries of one round, each a range query with the interval as its step. */
  static List<String> round(Duration interval, List<String> extraMatchers) {
    Query query = new Query(interval, extraMatchers);
    return List.of(query.stageLatencies(), query.counts(), query.journeys());
  }

  /** What full-form primaries took, those included that were cut or lost to their fallback. */
  private String stageLatencies() {
    String selected =
        selector(
            MetricNames.STAGE_DURATION + "_bucket",
            FULL_FORM,
            OUTCOME + "=~\"success|degraded|timeout|cancelled\"",
            CUT + "!=\"caller\"");
    return kind(Kind.LATENCY, nonZero(increase(selected, STAGE, OUTCOME, CUT, LE)));
  }

  private String counts() {
    String errors =
        selector(MetricNames.STAGE_DURATION + "_count", FULL_FORM, OUTCOME + "=\"error\"");
    String notStarted =
        selector(MetricNames.STAGE_SKIPPED, REASON + "=~\"no_time|level|breaker|overload|drill\"");
    String answers = selector(MetricNames.ANSWERS, MetricNames.DEADLINE + "=\"own\"");
    String fallbacks =
        selector(
            MetricNames.BACKEND_CALL + "_count",
            MetricNames.ROLE + "=\"fallback\"",
            OUTCOME + "=~\"success|degraded\"");
    return union(
        kind(Kind.STARTED, increase(selector(MetricNames.STAGE_STARTED), STAGE)),
        kind(Kind.ERRORS, nonZero(increase(errors, STAGE))),
        kind(Kind.SKIPPED, nonZero(increase(notStarted, STAGE, REASON))),
        kind(Kind.ANSWERS, nonZero(increase(answers, OUTCOME, LEVEL))),
        kind(Kind.FALLBACKS, nonZero(increase(fallbacks, STAGE))),
        kind(Kind.LOWEST_CAP, cap("min")),
        kind(Kind.HIGHEST_CAP, cap("max")),
        kind(Kind.SCRAPED, scraped()),
        kind(Kind.DOUBLED, doubled()));
  }

  private String journeys() {
    String duration = selector(MetricNames.JOURNEY_DURATION + "_bucket");
    String remaining = selector(MetricNames.REMAINING_AT_GENERATE + "_bucket");
    String fallback =
        selector(
            MetricNames.FALLBACK_DURATION + "_bucket",
            OUTCOME + "=~\"success|degraded|timeout|cancelled\"");
    String late =
        selector(MetricNames.STAGE_LATE + "_bucket", FULL_FORM, OUTCOME + "=~\"success|timeout\"");
    return union(
        kind(Kind.LATE, nonZero(increase(late, STAGE, OUTCOME, LE))),
        kind(Kind.FALLBACK_LATENCY, nonZero(increase(fallback, STAGE, OUTCOME, LE))),
        kind(Kind.DURATION, nonZero(increase(duration, LE))),
        kind(Kind.REMAINING, increase(remaining, LE)));
  }

  private String selector(String metric, String... matchers) {
    return newest(metric, matchers) + range;
  }

  /** The newest sample of every series. */
  private String newest(String metric, String... matchers) {
    List<String> all = new ArrayList<>(List.of(matchers));
    all.addAll(extraMatchers);
    return metric + (all.isEmpty() ? "" : "{" + String.join(",", all) + "}");
  }

  /** Only {@code timestamp} tells a sample's own time; everything else has the query's. */
  private String scraped() {
    return "max by (%s, %s) (%s)"
        .formatted(
            NAMESPACE, JOURNEY, identified("timestamp(" + newest(MetricNames.STAGE_STARTED) + ")"));
  }

  /**
   * A pod that is scraped once with and once without the label {@code pod} is taken for two
   * processes. Both have the same {@code instance}.
   */
  private String doubled() {
    String by = String.join(", ", NAMESPACE, JOURNEY, "instance");
    String labelled =
        "label_replace(%s, \"%s\", \"yes\", \"pod\", \"(.+)\")"
            .formatted(
                copied(
                    newest(MetricNames.STAGE_STARTED, "instance!=\"\""),
                    "exported_namespace",
                    NAMESPACE),
                HAS_POD);
    return "count by (%s) (count by (%s, %s) (%s)) != 1".formatted(by, by, HAS_POD, labelled);
  }

  private static String increase(String selected, String... labels) {
    String by =
        Stream.concat(Stream.of(NAMESPACE, JOURNEY), Stream.of(labels))
            .collect(Collectors.joining(", "));
    return "sum by (%s) (max by (%s, %s) (%s))"
        .formatted(by, by, PROCESS, identified("increase(" + selected + ")"));
  }

  /** The lowest or highest cap that any pod had at any time of a slice. */
  private String cap(String extreme) {
    return "%s by (%s, %s, %s) (%s)"
        .formatted(
            extreme,
            NAMESPACE,
            JOURNEY,
            STAGE,
            identified(extreme + "_over_time(" + selector(MetricNames.STAGE_CAP) + ")"));
  }

  private static String identified(String series) {
    String namespaced = copied(series, "exported_namespace", NAMESPACE);
    return copied(copied(namespaced, "instance", PROCESS), "pod", PROCESS);
  }

  /** Copies a label over another one, where it is not empty. */
  private static String copied(String series, String from, String to) {
    return "label_replace(%s, \"%s\", \"$1\", \"%s\", \"(.+)\")".formatted(series, to, from);
  }

  private static String nonZero(String series) {
    return series + " != 0";
  }

  private static String kind(Kind kind, String series) {
    return "label_replace(%s, \"%s\", \"%s\", \"\", \"\")".formatted(series, KIND, kind.label());
  }

  private static String union(String... parts) {
    return String.join(" or ", parts);
  }
}
