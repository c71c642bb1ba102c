package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.RagJourneySpec;

/** Checks fields against each other; every field is right by itself. */
final class JourneyRules {
  private JourneyRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    BudgetRules.check(Values.given(spec.budget()), findings);
    DocumentsRules.check(spec, findings);
    StageRules.check(spec, findings);
    StageListRules.check(spec, findings);
    LevelRules.check(spec, findings);
    BackendRules.check(spec, findings);
    VectorSearchRules.check(spec, findings);
    OperationRules.check(spec, findings);
  }
}
