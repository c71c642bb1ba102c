package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;

import java.util.List;

/** Specs with fields that do not exist: refused by whoever sees the text, not by the reader. */
final class UnknownFieldSpecs {
  private static final String PLAIN = "budget: {total: 3s}\ndocuments: {configMap: {name: d}}\n";

  private UnknownFieldSpecs() {}

  static List<SpecCase> all() {
    return List.of(
        unknown("a field of the spec", PLAIN + "stage: []", "spec.stage"),
        unknown(
            "a field of the budget",
            "budget: {total: 3s, totl: 4s}\ndocuments: {configMap: {name: d}}\n",
            "spec.budget.totl"),
        unknown(
            "a field of a stage in a list",
            PLAIN
                + "stages:\n- {name: search, type: Search}\n- {name: generate, type: Generate, caps: 1s}\n",
            "spec.stages[1].caps"),
        unknown(
            "a field of a backend's kind",
            PLAIN + "backends:\n- {name: b, http: {url: \"http://b.example/\", path: /x}}\n",
            "spec.backends[0].http.path"),
        unknown(
            "a setting of the embedded kind",
            PLAIN + "backends:\n- {name: b, embedded: {model: x}}\n",
            "spec.backends[0].embedded.model"));
  }

  private static SpecCase unknown(String what, String spec, String path) {
    return refused(what + " that does not exist is refused", spec, path, "UnknownField");
  }
}
