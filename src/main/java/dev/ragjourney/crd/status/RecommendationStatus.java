package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What caps a rule would set, and what that would give. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecommendationStatus(
    @JsonPropertyDescription("The rule that computed it.") @Nullable String rule,
    @JsonPropertyDescription("Share of full answers that it predicts.") @Nullable String fullRatio,
    @JsonPropertyDescription("What it would gain, for people.") @Nullable String message,
    @JsonPropertyDescription("What it would change.") @Nullable List<CapChangeStatus> changes) {}
