package dev.ragjourney.crd;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.parsed.ParsedJourney;
import java.util.List;

/** What a spec says as it comes from a cluster or a file. */
public sealed interface Reading {
  /** A spec that can be carried out. */
  record Valid(ParsedJourney journey) implements Reading {}

  /**
   * A spec that cannot.
   *
   * @param findings at least one
   */
  record Invalid(List<Finding> findings) implements Reading {
    public Invalid {
      findings = List.copyOf(findings);
    }
  }

  /** An object whose fields have shapes that this version cannot read. */
  record Unreadable(String message) implements Reading {}
}
