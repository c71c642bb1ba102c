package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** The largest change of a cap in one move. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaxStepSpec(
    @JsonPropertyDescription("Largest rise. Above 0%. Default 50%.") @Pattern(Shape.SHARE)
        @Nullable String up,
    @JsonPropertyDescription("Largest fall. Above 0%, below 100%. Default 20%.")
        @Pattern(Shape.SHARE)
        @Nullable String down) {}
