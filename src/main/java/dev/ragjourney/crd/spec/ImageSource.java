package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** An image volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImageSource(
    @JsonPropertyDescription("Reference of the image.") @Required @Size(min = 1, max = 1024)
        @Nullable String reference,
    @JsonPropertyDescription(
            "When the image is pulled: Always, IfNotPresent or Never. Default as "
                + "Kubernetes has it for the reference.")
        @OneOf({"Always", "IfNotPresent", "Never"})
        @Nullable String pullPolicy) {}
