package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ragjourney.crd.spec.OneOf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values in force. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveStatus(
    @JsonPropertyDescription("Enforce, or Observe where nothing is cut and all is counted.")
        @OneOf({"Enforce", "Observe"})
        @Nullable String enforcement,
    @JsonPropertyDescription("Held back at every stage; a duration.") @Nullable String reserve,
    @JsonPropertyDescription(
            "With countTo LastToken: reading stops this long before the deadline; a duration.")
        @Nullable String lastTokenMargin,
    @JsonPropertyDescription("The stages.") @Nullable List<EffectiveStage> stages,
    @JsonPropertyDescription("The levels, best first.") @Nullable List<EffectiveLevel> levels,
    @JsonPropertyDescription("The rule that computes caps.") @OneOf({"P95Headroom", "MaxQuality"})
        @Nullable String rule,
    @JsonPropertyDescription("What journeys leave out though they have the time for it.")
        @Nullable LeftOutStatus leftOut) {}
