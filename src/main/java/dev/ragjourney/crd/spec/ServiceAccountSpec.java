package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ServiceAccount of the pods: an existing one by name, or annotations of the one that is made.
 */
@ValidationRule(
    value = "!(has(self.name) && has(self.annotations))",
    message = "name and annotations exclude each other")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceAccountSpec(
    @JsonPropertyDescription("An existing ServiceAccount; none is made then. Excludes annotations.")
        @Size(min = 1, max = 253)
        @Nullable String name,
    @JsonPropertyDescription(
            "Annotations of the ServiceAccount that is made, for a cloud identity.")
        @Size(max = 32)
        @Nullable Map<String, String> annotations) {}
