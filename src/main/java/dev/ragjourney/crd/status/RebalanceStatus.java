package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last move of the caps, and why. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebalanceStatus(
    @JsonPropertyDescription("When caps last moved. Date and time, RFC 3339.")
        @Nullable String lastMove,
    @JsonPropertyDescription("Why the last round moved or held.") @Nullable String reason,
    @JsonPropertyDescription("The last move.") @Nullable List<CapChangeStatus> changes,
    @JsonPropertyDescription("The last moves, newest first; at most 10 of at most 8 changes.")
        @Nullable List<RebalanceMove> history,
    @JsonPropertyDescription("What the other rule, or the rule in mode Recommend, would do.")
        @Nullable RecommendationStatus recommendation,
    @JsonPropertyDescription("What would go better left out, where nearly no answer is full.")
        @Nullable AdviceStatus advice) {}
