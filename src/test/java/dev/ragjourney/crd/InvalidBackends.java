package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;
import static dev.ragjourney.crd.SpecCase.refusedByReader;

import java.util.List;

/** Backends that are refused. */
final class InvalidBackends {
  private static final String DOCUMENTS = "documents: {configMap: {name: d}}\n";
  private static final String BACKENDS = "budget: {total: 3s}\n" + DOCUMENTS + "backends:\n";

  private InvalidBackends() {}

  static List<SpecCase> all() {
    String http = "http: {url: \"http://b.example/\"}";
    return List.of(
        backend(
            "a backend may have a call",
            "- {name: a, maxConcurrent: 0, " + http + "}",
            "[0].maxConcurrent",
            "InvalidValue"),
        backend("a backend has a kind", "- {name: a}", "[0]", "Conflict"),
        backend(
            "a backend has one kind", "- {name: a, embedded: {}, " + http + "}", "[0]", "Conflict"),
        backend(
            "backend names are unique",
            "- {name: a, " + http + "}\n- {name: a, " + http + "}",
            "[1].name",
            "Duplicate"),
        backend(
            "embedded is the name of the embedded kind",
            "- {name: embedded, " + http + "}",
            "[0].name",
            "Conflict"),
        tool(
            "a field is filled by something", "request: {q: weather}", "request.q", "InvalidValue"),
        tool(
            "passages do not fit into a query parameter",
            "method: GET, request: {q: passages}",
            "request.q",
            "Conflict"),
        tool("a tool gives a text", "response: {score: /s}", "response.score", "InvalidValue"),
        tool(
            "a pointer begins with a slash",
            "response: {text: a.b}",
            "response.text",
            "InvalidValue"),
        refusedByReader(
            "only a Tool stage maps its request",
            "budget: {total: 3s}\nstages:\n- {name: search, type: Search, backend: a}\n- {name: generate, type: Generate}\n"
                + "backends:\n- {name: a, http: {url: \"http://b.example/\", request: {q: question}}}\n",
            "spec.stages[0].backend",
            "Conflict"),
        backend("an address is needed", "- {name: a, http: {}}", "[0].http.url", "Required"),
        backend(
            "an address is http",
            "- {name: a, http: {url: \"ftp://b.example/\"}}",
            "[0].http.url",
            "InvalidValue"),
        backend(
            "an address has a scheme",
            "- {name: a, http: {url: \"b.example\"}}",
            "[0].http.url",
            "InvalidValue"),
        backend(
            "an address holds no password",
            "- {name: a, http: {url: \"http://u:p@b.example/\"}}",
            "[0].http.url",
            "InvalidValue"),
        backend(
            "a header has a value",
            "- {name: a, headers: [{name: x}], " + http + "}",
            "[0].headers[0]",
            "Conflict"),
        backend(
            "a header has one value",
            "- {name: a, headers: [{name: x, value: y, valueFrom: {secretKeyRef: {name: s, key: k}}}], "
                + http
                + "}",
            "[0].headers[0]",
            "Conflict"),
        refusedByReader(
            "a header is given once, whatever its case",
            BACKENDS
                + "- {name: a, headers: [{name: X-Team, value: y}, {name: x-team, value: z}], "
                + http
                + "}",
            "spec.backends[0].headers[1].name",
            "Duplicate"),
        backend(
            "a header's name has no blank",
            "- {name: a, headers: [{name: \"x y\", value: z}], " + http + "}",
            "[0].headers[0].name",
            "InvalidValue"),
        backend(
            "certificates come from one place",
            "- {name: a, tls: {ca: {}}, " + http + "}",
            "[0].tls.ca",
            "Conflict"),
        backend(
            "a connection takes some time",
            "- {name: a, connectTimeout: 0s, " + http + "}",
            "[0].connectTimeout",
            "InvalidValue"),
        backend(
            "a temperature is at most 2",
            "- {name: a, openai: {url: \"http://l.example/v1\", model: m, temperature: '2.1'}}",
            "[0].openai.temperature",
            "InvalidValue"),
        backend(
            "a secret's key is named",
            "- {name: a, openai: {url: \"http://l.example/v1\", model: m, apiKey: {secretKeyRef: {name: s}}}}",
            "[0].openai.apiKey.secretKeyRef.key",
            "Required"),
        backend(
            "Azure OpenAI signs in one way",
            "- {name: a, azureOpenai: {endpoint: \"https://a.example\", deployment: d}}",
            "[0].azureOpenai",
            "Conflict"),
        backend(
            "Azure's ranker waits at least 700ms",
            "- {name: a, azureSearch: {endpoint: \"https://a.example\", index: i, rankerMaxWait: 600ms}}",
            "[0].azureSearch.rankerMaxWait",
            "InvalidValue"),
        refusedByReader(
            "Qdrant has no namespaces",
            BACKENDS
                + "- {name: a, qdrant: {url: \"http://q.example\", collection: c, namespace: n}}",
            "spec.backends[0].qdrant.namespace",
            "Conflict"),
        refusedByReader(
            "Qdrant weighs no words",
            BACKENDS
                + "- {name: a, qdrant: {url: \"http://q.example\", collection: c, alpha: 50%}}",
            "spec.backends[0].qdrant.alpha",
            "Conflict"),
        backend(
            "a vector store's collection is named",
            "- {name: a, qdrant: {url: \"http://q.example\"}}",
            "[0].qdrant.collection",
            "Required"),
        ranked("a cap leaves the ranker its time", "cap: 999ms", "cap"),
        ranked(
            "a cap does not move below the time of the ranker",
            "cap: 1s, capRange: {min: 999ms}",
            "capRange.min"),
        ranked(
            "a cap may move to the time of the ranker", "capRange: {max: 999ms}", "capRange.max"),
        backend(
            "a user name needs a password",
            "- {name: a, opensearch: {url: \"https://o.example\", index: i, username: u}}",
            "[0].opensearch",
            "Conflict"),
        backend(
            "an API key excludes a user name",
            "- {name: a, elasticsearch: {url: \"https://o.example\", index: i, username: u, password: {secretKeyRef: {name: s, key: p}}, apiKey: {secretKeyRef: {name: s, key: k}}}}",
            "[0].elasticsearch",
            "Conflict"),
        backend(
            "a JDBC address holds no user",
            "- {name: a, pgvector: {url: \"jdbc:postgresql://u@db.example/c\", table: t}}",
            "[0].pgvector.url",
            "InvalidValue"));
  }

  private static SpecCase backend(String sentence, String backends, String path, String reason) {
    return refused(sentence, BACKENDS + backends, "spec.backends" + path, reason);
  }

  private static SpecCase ranked(String sentence, String fields, String path) {
    return refusedByReader(
        sentence,
        "budget: {total: 8s}\nstages:\n- {name: search, type: Search, backend: a, "
            + fields
            + "}\n- {name: generate, type: Generate, backend: b}\nbackends:\n"
            + "- {name: a, azureSearch: {endpoint: \"https://a.example\", index: i, semanticConfiguration: s}}\n"
            + "- {name: b, openai: {url: \"http://l.example/v1\", model: m}}\n",
        "spec.stages[0]." + path,
        "Conflict");
  }

  private static SpecCase tool(String sentence, String fields, String path, String reason) {
    return refusedByReader(
        sentence,
        BACKENDS + "- {name: a, http: {url: \"http://b.example/\", " + fields + "}}\n",
        "spec.backends[0].http." + path,
        reason);
  }
}
