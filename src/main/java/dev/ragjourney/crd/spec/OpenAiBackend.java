package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** OpenAI, or a server that speaks its API. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OpenAiBackend(
    @JsonPropertyDescription("Base address of the API, http or https; usually ends in /v1.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription("Name of the model.") @Required @Size(min = 1, max = 128)
        @Nullable String model,
    @JsonPropertyDescription("The API key. Default none is sent.") @Nullable SecretSource apiKey,
    @JsonPropertyDescription(
            "Reasoning effort as the server spells it, such as minimal, low, medium "
                + "or high. Default that of the model.")
        @Size(min = 1, max = 32)
        @Nullable String reasoningEffort,
    @JsonPropertyDescription(
            "The most tokens of an answer where the stage names none. Default that "
                + "of the server.")
        @Min(1)
        @Max(1000000)
        @Nullable Integer maxTokens,
    @JsonPropertyDescription(
            "Sampling temperature, \"0\" to \"2\" with up to two decimals, as a "
                + "string. Default that of the server.")
        @Pattern(Shape.TEMPERATURE)
        @Nullable String temperature,
    @JsonPropertyDescription("Length of the vectors. For Embed. Default that of the model.")
        @Min(1)
        @Max(16384)
        @Nullable Integer dimensions) {}
