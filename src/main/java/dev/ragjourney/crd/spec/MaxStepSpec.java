package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The largest change of a cap in one move. */
@ValidationRule(
    value = "!has(self.up) || double(self.up.replace('%', '')) > 0.0",
    message = "up must be above 0%",
    fieldPath = ".up")
@ValidationRule(
    value =
        "!has(self.down) || (double(self.down.replace('%', '')) > 0.0 && "
            + "double(self.down.replace('%', '')) < 100.0)",
    message = "down must be above 0% and below 100%",
    fieldPath = ".down")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaxStepSpec(
    @JsonPropertyDescription("Largest rise. Above 0%. Default 50%.") @Pattern(Shape.SHARE)
        @Nullable String up,
    @JsonPropertyDescription("Largest fall. Above 0%, below 100%. Default 20%.")
        @Pattern(Shape.SHARE)
        @Nullable String down) {}
