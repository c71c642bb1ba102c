package dev.ragjourney.crd;

import java.util.List;
import java.util.stream.Stream;

/** Specs that are refused, and where the reader says so. */
final class InvalidSpecs {
  private InvalidSpecs() {}

  static List<SpecCase> all() {
    return Stream.of(
            InvalidBudgets.all(),
            InvalidStages.all(),
            InvalidGroups.all(),
            InvalidLevels.all(),
            InvalidBackends.all(),
            InvalidVectorSearches.all(),
            InvalidOperation.all())
        .flatMap(List::stream)
        .toList();
  }
}
