package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** An index of Azure AI Search. */
@ValidationRule(
    value = "!has(self.rankerMaxWait) || duration(self.rankerMaxWait) >= duration('700ms')",
    message = "rankerMaxWait must be at least 700ms",
    fieldPath = ".rankerMaxWait")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AzureSearchBackend(
    @JsonPropertyDescription("Address of the service, https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String endpoint,
    @JsonPropertyDescription("Name of the index.") @Required @Size(min = 1, max = 128)
        @Nullable String index,
    @JsonPropertyDescription("The API key. Default none is sent.") @Nullable SecretSource apiKey,
    @JsonPropertyDescription("Key field of the index. Default id.") @Size(min = 1, max = 128)
        @Nullable String idField,
    @JsonPropertyDescription("Field with the text of a passage. Default content.")
        @Size(min = 1, max = 128)
        @Nullable String contentField,
    @JsonPropertyDescription("Field with the title of a passage. Default none.")
        @Size(min = 1, max = 128)
        @Nullable String titleField,
    @JsonPropertyDescription(
            "Field with the vector of a passage; makes the search hybrid. Default none.")
        @Size(min = 1, max = 128)
        @Nullable String vectorField,
    @JsonPropertyDescription(
            "Semantic configuration of the index; turns the semantic ranker on. Default none.")
        @Size(min = 1, max = 128)
        @Nullable String semanticConfiguration,
    @JsonPropertyDescription(
            "The most the semantic ranker may take, in its partial mode; the stage needs 300ms "
                + "more. At least 700ms. Default 700ms.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String rankerMaxWait,
    @JsonPropertyDescription("Agentic retrieval: a model plans the queries first. Default off.")
        @Nullable AgenticSpec agentic) {}
