package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What journeys leave out because rebalancing found that trying it costs more than it gives. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LeftOutStatus(
    @JsonPropertyDescription("Optional stages that do not run.") @Nullable List<String> stages,
    @JsonPropertyDescription("The level that journeys begin at; absent for the first one.")
        @Nullable String startLevel,
    @JsonPropertyDescription("Share of the journeys that leave nothing out.")
        @Nullable String trialRatio) {}
