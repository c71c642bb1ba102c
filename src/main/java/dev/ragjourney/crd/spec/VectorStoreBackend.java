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

/** A collection of a vector store. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VectorStoreBackend(
    @JsonPropertyDescription("Base address of the service, http or https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription("The collection (Qdrant), class (Weaviate) or index (Pinecone).")
        @Required
        @Size(min = 1, max = 255)
        @Nullable String collection,
    @JsonPropertyDescription(
            "Field with the text of a passage; dots lead into nested ones. Default content.")
        @Size(min = 1, max = 128)
        @Nullable String contentField,
    @JsonPropertyDescription(
            "Field with the title of the document; dots lead into nested ones. For Qdrant. "
                + "Default title; a point without it has none.")
        @Size(min = 1, max = 128)
        @Nullable String titleField,
    @JsonPropertyDescription(
            "Name of the vector to search by, where points have several or a named one. "
                + "For Qdrant. Default the one without a name.")
        @Size(min = 1, max = 128)
        @Nullable String vectorField,
    @JsonPropertyDescription("The API key. Default none is sent.") @Nullable SecretSource apiKey,
    @JsonPropertyDescription(
            "Candidates that the search looks at. For Qdrant and Weaviate. Default "
                + "that of the store.")
        @Min(1)
        @Max(10000)
        @Nullable Integer ef,
    @JsonPropertyDescription("Namespace (Pinecone) or tenant (Weaviate). Default none.")
        @Size(min = 1, max = 128)
        @Nullable String namespace,
    @JsonPropertyDescription(
            "Weight of the vector against the keywords in a hybrid search. For "
                + "Weaviate. Default 75%.")
        @Pattern(Shape.SHARE)
        @Nullable String alpha) {}
