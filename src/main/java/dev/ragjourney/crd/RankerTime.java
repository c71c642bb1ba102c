package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.AzureSearchBackend;
import dev.ragjourney.crd.spec.BackendSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.StageSpec;
import java.time.Duration;

/**
 * The least cap with which a search can wait for Azure's semantic ranker: its declared wait, and
 * the search before it. With less the ranker is not asked.
 */
final class RankerTime {
  /** Azure AI Search accepts no shorter wait for its ranker. */
  static final Duration LEAST_WAIT = Duration.ofMillis(700);

  static final Duration SEARCH = Duration.ofMillis(300);

  private RankerTime() {}

  /** Zero for a stage whose backend has no such ranker. */
  static Duration of(StageSpec stage, RagJourneySpec spec) {
    for (BackendSpec backend : Values.list(spec.backends())) {
      AzureSearchBackend azure = backend.azureSearch();
      if (azure != null
          && azure.semanticConfiguration() != null
          && backend.name() != null
          && backend.name().equals(stage.backend())) {
        return Values.duration(azure.rankerMaxWait(), LEAST_WAIT).plus(SEARCH);
      }
    }
    return Duration.ZERO;
  }
}
