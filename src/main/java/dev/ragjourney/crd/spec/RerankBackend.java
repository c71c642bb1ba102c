package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A rerank API. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RerankBackend(
    @JsonPropertyDescription("Address of the rerank endpoint, http or https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription("Whose shape the API has: Cohere or Jina. Default Cohere.")
        @OneOf({"Cohere", "Jina"})
        @Nullable String style,
    @JsonPropertyDescription("Name of the model. Default that of the server.")
        @Size(min = 1, max = 128)
        @Nullable String model,
    @JsonPropertyDescription("The API key. Default none is sent.") @Nullable SecretSource apiKey) {}
