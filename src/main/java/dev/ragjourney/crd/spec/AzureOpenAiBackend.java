package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Azure OpenAI: a deployment of a model. */
@ValidationRule(
    value = "has(self.apiKey) != (has(self.workloadIdentity) && self.workloadIdentity)",
    message = "exactly one of apiKey and workloadIdentity must be set")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AzureOpenAiBackend(
    @JsonPropertyDescription(
            "Address of the resource, https. One that ends in /openai/v1 is called by the paths of "
                + "OpenAI itself, any other by those of its deployments.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String endpoint,
    @JsonPropertyDescription("Name of the deployment.") @Required @Size(min = 1, max = 128)
        @Nullable String deployment,
    @JsonPropertyDescription(
            "Version of the API. Default 2024-10-21; none for an endpoint that ends in "
                + "/openai/v1.")
        @Size(min = 1, max = 32)
        @Nullable String apiVersion,
    @JsonPropertyDescription("The API key; excludes workloadIdentity.")
        @Nullable SecretSource apiKey,
    @JsonPropertyDescription(
            "true: signs in with the workload identity of the pod, which needs the label "
                + "azure.workload.identity/use in workload.podTemplate and a client ID in "
                + "workload.serviceAccount.annotations; excludes apiKey. Default false.")
        @Nullable Boolean workloadIdentity,
    @JsonPropertyDescription("Reasoning effort as the server spells it. Default that of the model.")
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
