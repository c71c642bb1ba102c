package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The jittered wait between attempts. */
@ValidationRule(
    value = "!(has(self.min) && has(self.max)) || duration(self.min) <= duration(self.max)",
    message = "min must not be above max")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackoffSpec(
    @JsonPropertyDescription("The shortest wait. At most max. Default 50ms.")
        @Pattern(Shape.DURATION)
        @Nullable String min,
    @JsonPropertyDescription("The longest wait. Default 200ms, or min where that is longer.")
        @Pattern(Shape.DURATION)
        @Nullable String max) {}
