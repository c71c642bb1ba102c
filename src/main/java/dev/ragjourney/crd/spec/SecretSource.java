package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A value that a Secret holds. It reaches the pods as a mounted file, never through the plan or the
 * environment.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SecretSource(
    @JsonPropertyDescription("A key of a Secret in the namespace of the journey.") @Required
        @Nullable KeyRef secretKeyRef) {}
