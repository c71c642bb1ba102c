package dev.ragjourney.support;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.crd.SpecReader;
import dev.ragjourney.crd.SpecReading;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.operator.desired.PlanCompiler;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.JourneyId;
import java.io.IOException;

/** Plans from the words of a user. */
public final class Plans {
  private Plans() {}

  /** What the operator makes of a spec. */
  public static Plan of(String name, String spec) throws IOException {
    return switch (SpecReader.read(
        name, YAMLMapper.builder().build().readValue(spec, RagJourneySpec.class))) {
      case SpecReading.Valid(var journey) ->
          PlanCompiler.compile(new JourneyId("default", name), journey, 1, 1);
      case SpecReading.Invalid(var findings) -> throw new AssertionError(findings);
    };
  }
}
