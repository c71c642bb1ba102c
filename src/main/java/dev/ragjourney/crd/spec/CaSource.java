package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where certificates come from: exactly one of the two. */
@ValidationRule(
    value = "has(self.configMapKeyRef) != has(self.secretKeyRef)",
    message = "exactly one of configMapKeyRef and secretKeyRef must be set")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CaSource(
    @JsonPropertyDescription("A key of a ConfigMap in the namespace of the journey.")
        @Nullable KeyRef configMapKeyRef,
    @JsonPropertyDescription("A key of a Secret in the namespace of the journey.")
        @Nullable KeyRef secretKeyRef) {}
