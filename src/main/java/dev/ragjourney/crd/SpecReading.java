package dev.ragjourney.crd;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.parsed.ParsedJourney;
import java.util.List;

/** What a spec says, or everything that is wrong with it. */
public sealed interface SpecReading {
  /** A spec that can be carried out. */
  record Valid(ParsedJourney journey) implements SpecReading {}

  /**
   * A spec that cannot.
   *
   * @param findings at least one, in the order of the fields
   */
  record Invalid(List<Finding> findings) implements SpecReading {
    public Invalid {
      findings = List.copyOf(findings);
    }
  }
}
