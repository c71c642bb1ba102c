package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How caps follow the measured latencies. */
@ValidationRule(
    value =
        "!has(self.interval) || (duration(self.interval) >= duration('1s') && "
            + "duration(self.interval) <= duration('24h'))",
    message = "interval must be from 1s to 24h",
    fieldPath = ".interval")
@ValidationRule(
    value =
        "!has(self.window) || (duration(self.window) >= "
            + "duration(has(self.interval) ? self.interval : '5m') && "
            + "duration(self.window) <= duration('24h'))",
    message = "window must be from interval to 24h",
    fieldPath = ".window")
@ValidationRule(
    value = "!has(self.cooldown) || duration(self.cooldown) <= duration('24h')",
    message = "cooldown must not be above 24h",
    fieldPath = ".cooldown")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebalanceSpec(
    @JsonPropertyDescription(
            "Auto moves caps, Recommend only shows in status what it would do, "
                + "Disabled does neither. Default Auto.")
        @OneOf({"Auto", "Recommend", "Disabled"})
        @Nullable String mode,
    @JsonPropertyDescription(
            "P95Headroom gives each stage its p95 plus headroom; MaxQuality chooses "
                + "caps for the most full answers. Default P95Headroom.")
        @OneOf({"P95Headroom", "MaxQuality"})
        @Nullable String rule,
    @JsonPropertyDescription("Time between rounds. From 1s to 24h. Default 5m.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String interval,
    @JsonPropertyDescription("How far back a round looks. From interval to 24h. Default 30m.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String window,
    @JsonPropertyDescription("Added to the observed p95. Default 20%.") @Pattern(Shape.SHARE)
        @Nullable String headroom,
    @JsonPropertyDescription("Calls that a stage needs in the window. Default 100.")
        @Min(1)
        @Max(1000000)
        @Nullable Integer minSamples,
    @JsonPropertyDescription("The largest change of a cap in one move.")
        @Nullable MaxStepSpec maxStep,
    @JsonPropertyDescription(
            "A move in which no cap changes by more than this is not worth one. Default 5%.")
        @Pattern(Shape.SHARE)
        @Nullable String deadBand,
    @JsonPropertyDescription("The least time between moves. At most 24h. Default 10m.")
        @Pattern(Shape.DURATION)
        @Nullable String cooldown,
    @JsonPropertyDescription(
            "More moves than this are not made within an hour. From 1 to 3600. Default as many as "
                + "the cooldown allows, at least 1.")
        @Min(1)
        @Max(3600)
        @Nullable Integer maxMovesPerHour,
    @JsonPropertyDescription(
            "Share of a stage's calls that go on in the background after they were cut at the "
                + "cap, to learn how long they take. Only of Embed, Search, Rerank and Tool "
                + "without side effects. 0% for none. Default 1%.")
        @Pattern(Shape.SHARE)
        @Nullable String lateSampling) {}
