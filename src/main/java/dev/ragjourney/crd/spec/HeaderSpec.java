package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A header of every call: a name, and either value or valueFrom. */
@ValidationRule(
    value = "has(self.value) != has(self.valueFrom)",
    message = "exactly one of value and valueFrom must be set")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HeaderSpec(
    @JsonPropertyDescription("Name of the header.") @Required @Pattern(Shape.HEADER)
        @Nullable String name,
    @JsonPropertyDescription("Its plain value.") @Size(max = 1024) @Nullable String value,
    @JsonPropertyDescription("Its value from a Secret.") @Nullable SecretSource valueFrom) {}
