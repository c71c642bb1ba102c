package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An index of Elasticsearch or OpenSearch. */
@ValidationRule(
    value = "has(self.username) == has(self.password)",
    message = "username and password go together")
@ValidationRule(
    value = "!(has(self.apiKey) && has(self.username))",
    message = "apiKey and username exclude each other")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SearchEngineBackend(
    @JsonPropertyDescription("Base address of the cluster, http or https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription("Name of the index or alias.") @Required @Size(min = 1, max = 255)
        @Nullable String index,
    @JsonPropertyDescription(
            "Fields that are searched and returned, the text of a passage first. "
                + "Default content.")
        @Size(min = 1, max = 16)
        @Nullable List<String> contentFields,
    @JsonPropertyDescription(
            "Field with the vector of a passage; makes the search hybrid. Default none.")
        @Size(min = 1, max = 255)
        @Nullable String vectorField,
    @JsonPropertyDescription("Name to sign in with; needs password.") @Size(min = 1, max = 253)
        @Nullable String username,
    @JsonPropertyDescription("The password of username.") @Nullable SecretSource password,
    @JsonPropertyDescription("The API key; excludes username and password.")
        @Nullable SecretSource apiKey) {}
