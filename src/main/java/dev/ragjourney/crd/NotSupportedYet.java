package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.DocumentsSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageSpec;
import dev.ragjourney.crd.spec.TlsSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every field and value that the resource can say and nothing acts on yet. Refused, never silently
 * ignored; a feature that lands takes its line away.
 */
final class NotSupportedYet {
  private static final Set<String> WORKING =
      Set.of("embedded", "openai", "azureOpenai", "azureSearch", "http", "rerank", "tei", "qdrant");

  private final Findings findings;

  private NotSupportedYet(Findings findings) {
    this.findings = findings;
  }

  static void check(RagJourneySpec spec, Findings findings) {
    NotSupportedYet check = new NotSupportedYet(findings);
    DocumentsSpec documents = spec.documents();
    if (documents != null) {
      check.field("spec.documents.image", documents.image());
    }
    List<StageSpec> stages = Values.list(spec.stages());
    for (int i = 0; i < stages.size(); i++) {
      check.stage("spec.stages[" + i + "]", stages.get(i));
    }
    List<BackendSpec> backends = Values.list(spec.backends());
    for (int i = 0; i < backends.size(); i++) {
      check.backend("spec.backends[" + i + "]", backends.get(i));
    }
  }

  private void stage(String path, StageSpec stage) {
    field(path + ".regression", stage.regression());
    if (stage.prompt() != null) {
      field(path + ".prompt.instructionsFrom", stage.prompt().instructionsFrom());
    }
  }

  private void backend(String path, BackendSpec backend) {
    for (BackendKind kind : BackendKind.of(backend)) {
      if (!WORKING.contains(kind.field())) {
        field(path + "." + kind.field(), kind);
      }
    }
    if (backend.azureSearch() != null) {
      field(path + ".azureSearch.agentic", backend.azureSearch().agentic());
    }
    TlsSpec tls = backend.tls();
    if (tls != null && tls.ca() != null) {
      field(path + ".tls.ca.configMapKeyRef", tls.ca().configMapKeyRef());
    }
  }

  private void field(String path, @Nullable Object value) {
    if (value != null) {
      findings.notSupportedYet(path, path + " is not acted on by this version; leave it out.");
    }
  }
}
