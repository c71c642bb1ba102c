package dev.ragjourney.crd;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.AzureOpenAiBackend;
import dev.ragjourney.crd.spec.AzureSearchBackend;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.CaSource;
import dev.ragjourney.crd.spec.HeaderSpec;
import dev.ragjourney.crd.spec.HttpBackend;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.SearchEngineBackend;
import dev.ragjourney.crd.spec.StageSpec;
import dev.ragjourney.crd.spec.TlsSpec;
import dev.ragjourney.crd.spec.VectorStoreBackend;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Backends by themselves, and whether a stage may name one. */
final class BackendRules {
  private BackendRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    List<BackendSpec> backends = Values.list(spec.backends());
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < backends.size(); i++) {
      BackendSpec backend = backends.get(i);
      String path = "spec.backends[" + i + "]";
      String name = Values.given(backend.name());
      if (!seen.add(name)) {
        findings.duplicate(path + ".name", name, "backend");
      }
      kind(path, backend, findings);
      headers(path, Values.list(backend.headers()), findings);
      ca(path, backend.tls(), findings);
      ToolRules.check(path + ".http", backend.http(), findings);
      azureOpenai(path, backend.azureOpenai(), findings);
      azureSearch(path, backend.azureSearch(), findings);
      searchEngine(path + ".elasticsearch", backend.elasticsearch(), findings);
      searchEngine(path + ".opensearch", backend.opensearch(), findings);
      qdrant(path + ".qdrant", backend.qdrant(), findings);
    }
  }

  /** A name that a stage or level refers to: it exists, and its kind can do the stage. */
  static void checkUse(
      String path,
      StageSpec stage,
      @Nullable String backend,
      RagJourneySpec spec,
      Findings findings) {
    StageType type = DefaultStages.type(stage);
    List<BackendSpec> backends = Values.list(spec.backends());
    String name = backend == null ? ParsedBackend.EMBEDDED : backend;
    List<BackendSpec> named = backends.stream().filter(b -> name.equals(b.name())).toList();
    if (named.isEmpty() && !name.equals(ParsedBackend.EMBEDDED)) {
      findings.unknown(
          path,
          name,
          "backend",
          backends.stream().map(candidate -> Values.given(candidate.name())).toList());
      return;
    }
    List<BackendKind> kinds =
        named.isEmpty() ? List.of(BackendKind.EMBEDDED) : BackendKind.of(named.getFirst());
    HttpBackend http = named.isEmpty() ? null : named.getFirst().http();
    if (http != null) {
      ToolRules.checkUse(path, type, http, findings);
    }
    if (kinds.size() == 1 && !kinds.getFirst().serves(type)) {
      String able =
          BackendKind.ALL.stream()
              .filter(kind -> kind.serves(type))
              .map(BackendKind::field)
              .collect(Collectors.joining(", "));
      findings.conflict(
          path,
          "backend '%s' of kind %s does %s; a %s stage needs one of kind %s."
              .formatted(
                  name,
                  kinds.getFirst().field(),
                  kinds.getFirst().serves().stream()
                      .map(StageType::label)
                      .collect(Collectors.joining(", ")),
                  type.label(),
                  able));
    }
  }

  private static void kind(String path, BackendSpec backend, Findings findings) {
    List<BackendKind> kinds = BackendKind.of(backend);
    if (kinds.size() != 1) {
      findings.conflict(
          path,
          "backend '%s' has %s; exactly one of %s is right."
              .formatted(
                  backend.name(),
                  kinds.isEmpty()
                      ? "no kind"
                      : "the kinds "
                          + kinds.stream()
                              .map(BackendKind::field)
                              .collect(Collectors.joining(" and ")),
                  BackendKind.ALL.stream()
                      .map(BackendKind::field)
                      .collect(Collectors.joining(", "))));
    } else if (ParsedBackend.EMBEDDED.equals(backend.name())
        && !kinds.getFirst().equals(BackendKind.EMBEDDED)) {
      findings.conflict(
          path + ".name",
          "'embedded' is the name of the backend inside the pod; give this one another name.");
    }
  }

  private static void headers(String path, List<HeaderSpec> headers, Findings findings) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < headers.size(); i++) {
      HeaderSpec header = headers.get(i);
      String name = Values.given(header.name());
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        findings.duplicate(path + ".headers[" + i + "].name", name, "header");
      }
      if ((header.value() == null) == (header.valueFrom() == null)) {
        findings.conflict(
            path + ".headers[" + i + "]",
            "header '%s' has %s; give exactly one of value and valueFrom."
                .formatted(name, header.value() == null ? "no value" : "two values"));
      }
    }
  }

  private static void ca(String path, @Nullable TlsSpec tls, Findings findings) {
    CaSource ca = tls == null ? null : tls.ca();
    if (ca != null && (ca.configMapKeyRef() == null) == (ca.secretKeyRef() == null)) {
      findings.conflict(path + ".tls.ca", "give exactly one of configMapKeyRef and secretKeyRef.");
    }
  }

  private static void azureOpenai(
      String path, @Nullable AzureOpenAiBackend azure, Findings findings) {
    if (azure != null && (azure.apiKey() == null) == !Values.isTrue(azure.workloadIdentity())) {
      findings.conflict(
          path + ".azureOpenai",
          "give exactly one of apiKey and workloadIdentity: true, so that it can sign in.");
    }
  }

  private static void azureSearch(
      String path, @Nullable AzureSearchBackend azure, Findings findings) {
    if (azure != null
        && azure.rankerMaxWait() != null
        && Values.duration(azure.rankerMaxWait(), RankerTime.LEAST_WAIT)
                .compareTo(RankerTime.LEAST_WAIT)
            < 0) {
      findings.invalid(
          path + ".azureSearch.rankerMaxWait",
          "%s is below the least that the service accepts; %s or more is right."
              .formatted(azure.rankerMaxWait(), Durations.format(RankerTime.LEAST_WAIT)));
    }
  }

  private static void qdrant(String path, @Nullable VectorStoreBackend qdrant, Findings findings) {
    if (qdrant == null) {
      return;
    }
    if (qdrant.namespace() != null) {
      findings.conflict(
          path + ".namespace",
          "namespace '%s' is for Pinecone and Weaviate, and Qdrant has none; name a collection instead."
              .formatted(qdrant.namespace()));
    }
    if (qdrant.alpha() != null) {
      findings.conflict(
          path + ".alpha",
          "alpha %s weighs vectors against words in Weaviate, and Qdrant searches by vector alone; leave it out."
              .formatted(qdrant.alpha()));
    }
  }

  private static void searchEngine(
      String path, @Nullable SearchEngineBackend engine, Findings findings) {
    if (engine == null) {
      return;
    }
    if ((engine.username() == null) != (engine.password() == null)) {
      findings.conflict(path, "username and password go together; give both or neither.");
    }
    if (engine.apiKey() != null && engine.username() != null) {
      findings.conflict(path, "apiKey and username are both given; keep one.");
    }
  }
}
