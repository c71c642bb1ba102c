package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The plan that the pods read. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanStatus(
    @JsonPropertyDescription("Revision of the newest plan.") @Nullable Long revision,
    @JsonPropertyDescription("Pods that run this revision.") @Nullable Integer podsOnRevision,
    @JsonPropertyDescription("Pods in all.") @Nullable Integer pods,
    @JsonPropertyDescription("podsOnRevision/pods, such as 3/3.") @Nullable String summary) {}
