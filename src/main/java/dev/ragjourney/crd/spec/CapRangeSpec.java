package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** The bounds of a rebalanced cap. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CapRangeSpec(
    @JsonPropertyDescription(
            "The lowest cap that rebalancing may set. At most cap. Default 25 % of "
                + "cap, at least 10ms.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String min,
    @JsonPropertyDescription(
            "The highest cap that rebalancing may set. At least cap, at most total. "
                + "Default 400 % of cap, at most total - reserve - the floor of Generate.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String max) {}
