package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A text-embeddings-inference server. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TeiBackend(
    @JsonPropertyDescription("Base address of the server, http or https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription(
            "true: the server cuts inputs that are too long instead of refusing "
                + "them. Default true.")
        @Nullable Boolean truncate) {}
