package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.RagJourneySpec;
import org.jspecify.annotations.Nullable;

/**
 * The only mapping from the resource to the domain. Checks each field by itself, then fields
 * against each other, then what is not acted on yet; only a spec without findings is assembled.
 */
public final class SpecReader {
  private SpecReader() {}

  /**
   * @param name the resource's name
   * @param spec null where the resource has none
   */
  public static SpecReading read(String name, @Nullable RagJourneySpec spec) {
    Findings findings = new Findings();
    NameRules.check(name, findings);
    if (spec == null) {
      findings.required("spec", "give at least budget.total and documents");
      return new SpecReading.Invalid(findings.all());
    }
    FieldChecks.check("spec", spec, findings);
    if (findings.isEmpty()) {
      JourneyRules.check(spec, findings);
      NotSupportedYet.check(spec, findings);
    }
    return findings.isEmpty()
        ? new SpecReading.Valid(JourneyAssembly.assemble(spec))
        : new SpecReading.Invalid(findings.all());
  }
}
