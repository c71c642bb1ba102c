package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers of earlier questions. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SemanticCacheSpec(
    @JsonPropertyDescription("Answers kept in one pod. Default 10000.") @Min(1) @Max(1000000)
        @Nullable Integer maxEntries,
    @JsonPropertyDescription("How long an answer is kept. Default 1h.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String ttl,
    @JsonPropertyDescription(
            "true: a hit answers at once, not only at the level with answer: "
                + "SemanticCache. Default false.")
        @Nullable Boolean upFront) {}
