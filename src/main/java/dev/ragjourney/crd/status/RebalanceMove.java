package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One move of the caps. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebalanceMove(
    @JsonPropertyDescription("When it was. Date and time, RFC 3339.") @Nullable String time,
    @JsonPropertyDescription("Rebalanced, or RolledBack where it took the move before it back.")
        @Nullable String reason,
    @JsonPropertyDescription("The rule that asked for it.") @Nullable String rule,
    @JsonPropertyDescription("Who gave to whom, or what it was expected to bring, for people.")
        @Nullable String message,
    @JsonPropertyDescription("What changed.") @Nullable List<CapChangeStatus> changes,
    @JsonPropertyDescription("What was left out from then on, or came back.")
        @Nullable LadderChangeStatus ladder) {}
