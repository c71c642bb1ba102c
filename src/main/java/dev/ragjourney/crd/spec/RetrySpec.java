package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explicit retries. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RetrySpec(
    @JsonPropertyDescription(
            "The cap of every attempt in order; the number of attempts is the length "
                + "of the list. Each at most cap.")
        @Required
        @Size(min = 1, max = 5)
        @Nullable List<@Pattern(Shape.DURATION) @NotZero String> attemptCaps,
    @JsonPropertyDescription("The wait between attempts.") @Nullable BackoffSpec backoff,
    @JsonPropertyDescription(
            "Share of the calls of the stage that may be tried again, so that an "
                + "outage is not met with a multiple of the load; the first ten of a quiet stage are always "
                + "helped. Default 20%.")
        @Pattern(Shape.SHARE)
        @Nullable String maxRatio) {}
