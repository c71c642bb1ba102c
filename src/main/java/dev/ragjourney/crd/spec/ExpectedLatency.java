package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** What a stage is expected to take. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExpectedLatency(
    @JsonPropertyDescription("Expected median. At most p95.") @Pattern(Shape.DURATION) @NotZero
        @Nullable String p50,
    @JsonPropertyDescription("Expected 95th percentile.") @Pattern(Shape.DURATION) @NotZero
        @Nullable String p95) {}
