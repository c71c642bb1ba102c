package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Specs that are valid by the schema and that nothing acts on yet. */
final class UnsupportedSpecs {
  private static final String PLAIN = "budget: {total: 8s}\ndocuments: {configMap: {name: d}}\n";
  private static final String GENERATE = "- {name: generate, type: Generate}\n";

  private UnsupportedSpecs() {}

  static List<SpecCase> all() {
    return List.of(
        search("regression: {p95Above: 900ms}", "regression"),
        unsupported(
            "instructions from a ConfigMap",
            PLAIN
                + "stages:\n- {name: search, type: Search}\n- {name: generate, type: Generate, prompt: {instructionsFrom: {configMapKeyRef: {name: p, key: k}}}}\n",
            "spec.stages[1].prompt.instructionsFrom"),
        unsupported(
            "documents from an image",
            "{budget: {total: 3s}, documents: {image: {reference: r.example/docs:1}}}",
            "spec.documents.image"),
        unsupported(
            "agentic retrieval",
            PLAIN
                + "backends:\n- {name: b, azureSearch: {endpoint: \"https://a.example\", index: i, agentic: {knowledgeBase: k}}}\n",
            "spec.backends[0].azureSearch.agentic"),
        backend("elasticsearch", "url: \"https://e.example\", index: i"),
        backend("opensearch", "url: \"https://e.example\", index: i"),
        backend("pgvector", "url: \"jdbc:postgresql://db.example:5432/corpus\", table: t"),
        backend("weaviate", "url: \"https://q.example\", collection: c, alpha: 50%"),
        backend("pinecone", "url: \"https://q.example\", collection: c, namespace: n"),
        unsupported(
            "certificates from a ConfigMap",
            PLAIN
                + "backends:\n- {name: b, tls: {ca: {configMapKeyRef: {name: c, key: k}}}, http: {url: \"https://b.example/\"}}\n",
            "spec.backends[0].tls.ca.configMapKeyRef"));
  }

  private static SpecCase unsupported(String what, String spec, String path) {
    return refusedByReader(what + " is not supported yet", spec, path, "NotSupportedYet");
  }

  private static SpecCase search(String fields, String path) {
    return unsupported(
        fields,
        PLAIN + "stages:\n- {name: search, type: Search, cap: 1s, " + fields + "}\n" + GENERATE,
        "spec.stages[0]." + path);
  }

  private static SpecCase backend(String kind, String fields) {
    return unsupported(
        "a backend of kind " + kind,
        PLAIN + "backends:\n- {name: b, " + kind + ": {" + fields + "}}\n",
        "spec.backends[0]." + kind);
  }
}
