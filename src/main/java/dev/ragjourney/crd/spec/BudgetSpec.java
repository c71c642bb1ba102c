package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The time of a whole journey. */
@ValidationRule(
    value = "duration(self.total) >= duration('50ms') && duration(self.total) <= duration('10m')",
    message = "total must be from 50ms to 10m",
    fieldPath = ".total")
@ValidationRule(
    value = "!has(self.reserve) || duration(self.reserve) < duration(self.total)",
    message = "reserve must be below total",
    fieldPath = ".reserve")
@ValidationRule(
    value = "!has(self.lastTokenMargin) || duration(self.lastTokenMargin) < duration(self.total)",
    message = "lastTokenMargin must be below total",
    fieldPath = ".lastTokenMargin")
@ValidationRule(
    value =
        "duration(has(self.streamIdle) ? self.streamIdle : '30s') <= "
            + "duration(has(self.streamMax) ? self.streamMax : '5m')",
    message = "streamIdle must not be above streamMax",
    fieldPath = ".streamIdle")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BudgetSpec(
    @JsonPropertyDescription(
            "How long the user is willing to wait, counted from the arrival of the "
                + "request. From 50ms to 10m.")
        @Required
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String total,
    @JsonPropertyDescription(
            "The moment to which the total is counted: the FirstToken or the "
                + "LastToken of the answer. Default FirstToken.")
        @OneOf({"FirstToken", "LastToken"})
        @Nullable String countTo,
    @JsonPropertyDescription(
            "Held back at every stage for assembly, serialization and clock skew. "
                + "Below total. Default 50ms, at most 5 % of total.")
        @Pattern(Shape.DURATION)
        @Nullable String reserve,
    @JsonPropertyDescription(
            "With countTo LastToken: reading stops this long before the deadline. "
                + "Below total. Default 200ms, at most 10 % of total.")
        @Pattern(Shape.DURATION)
        @Nullable String lastTokenMargin,
    @JsonPropertyDescription("A started stream may be silent this long. Default 30s.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String streamIdle,
    @JsonPropertyDescription("A started stream may last this long in all. Default 5m.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String streamMax) {}
