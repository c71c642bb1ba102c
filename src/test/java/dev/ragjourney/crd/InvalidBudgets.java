package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.ArrayList;
import java.util.List;

/** Names, times and documents of a journey that are refused. */
final class InvalidBudgets {
  private static final String DOCUMENTS = "documents: {configMap: {name: d}}\n";
  private static final String PLAIN = "budget: {total: 3s}\n" + DOCUMENTS;

  private InvalidBudgets() {}

  static List<SpecCase> all() {
    List<SpecCase> all = new ArrayList<>();
    all.addAll(names());
    all.addAll(budget());
    all.addAll(documents());
    return List.copyOf(all);
  }

  private static List<SpecCase> names() {
    String path = "metadata.name";
    return List.of(
        refused("a journey's name has no dot", PLAIN, path, "InvalidValue").named("faq.v2"),
        refused("a journey's name begins with a letter", PLAIN, path, "InvalidValue").named("1faq"),
        refused("46 characters are too long for a journey's name", PLAIN, path, "InvalidValue")
            .named("a".repeat(46)));
  }

  private static List<SpecCase> budget() {
    return List.of(
        refused("a budget is needed", DOCUMENTS, "spec.budget", "Required"),
        refused("a total is needed", budget("{}"), "spec.budget.total", "Required"),
        total("a negative total is refused", "-3s"),
        total("a zero total is refused", "0s"),
        total("decimals are refused", "1.5s"),
        total("a number without unit is refused", "'3000'"),
        total("a total below 50ms is refused", "49ms"),
        total("a total above 10m is refused", "10m1ms"),
        total("a duration of more than 20 characters is refused", "00003s00000ms00000ms0m"),
        refused(
            "the reserve is below the total",
            budget("{total: 1s, reserve: 1s}"),
            "spec.budget.reserve",
            "Conflict"),
        refused(
            "the last token's margin is below the total",
            budget("{total: 1s, lastTokenMargin: 1s}"),
            "spec.budget.lastTokenMargin",
            "Conflict"),
        refused(
            "a stream is not silent longer than it lasts",
            budget("{total: 1s, streamIdle: 2m, streamMax: 1m}"),
            "spec.budget.streamIdle",
            "Conflict"),
        refused(
            "the budget counts to the first or the last token",
            budget("{total: 1s, countTo: Middle}"),
            "spec.budget.countTo",
            "InvalidValue"),
        refused(
            "a share has a percent sign",
            PLAIN + "objective: {missRatio: '0.01'}",
            "spec.objective.missRatio",
            "InvalidValue"),
        refused(
            "a share is at most the whole",
            PLAIN + "objective: {degradedRatio: 101%}",
            "spec.objective.degradedRatio",
            "InvalidValue"),
        refused(
            "enforcement is on or observing",
            PLAIN + "enforcement: Maybe",
            "spec.enforcement",
            "InvalidValue"));
  }

  private static List<SpecCase> documents() {
    return List.of(
        refused(
            "the embedded search needs documents",
            "budget: {total: 3s}",
            "spec.documents",
            "Required"),
        refusedByReader(
            "a search of the embedded kind needs documents under whatever name",
            """
            budget: {total: 3s}
            stages:
            - {name: search, type: Search, backend: mine}
            - {name: generate, type: Generate}
            backends:
            - {name: mine, embedded: {}}
            """,
            "spec.documents",
            "Required"),
        refused(
            "documents come from one place",
            "{budget: {total: 3s}, documents: {configMap: {name: d}, persistentVolumeClaim: {claimName: c}}}",
            "spec.documents",
            "Conflict"),
        refused(
            "documents come from some place",
            "{budget: {total: 3s}, documents: {}}",
            "spec.documents",
            "Conflict"),
        refused(
            "a ConfigMap has a name",
            "{budget: {total: 3s}, documents: {configMap: {}}}",
            "spec.documents.configMap.name",
            "Required"));
  }

  private static SpecCase total(String sentence, String total) {
    return refused(sentence, budget("{total: " + total + "}"), "spec.budget.total", "InvalidValue");
  }

  private static String budget(String budget) {
    return "budget: " + budget + "\n" + DOCUMENTS;
  }
}
