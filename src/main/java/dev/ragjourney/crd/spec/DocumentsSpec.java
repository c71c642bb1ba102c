package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where the documents of the embedded search are: exactly one of the three. */
@ValidationRule(
    value =
        "[has(self.configMap), has(self.persistentVolumeClaim), "
            + "has(self.image)].filter(x, x).size() == 1",
    message = "exactly one of configMap, persistentVolumeClaim and image must be set")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DocumentsSpec(
    @JsonPropertyDescription(
            "A ConfigMap of text files (txt, md, html, jsonl), one file a key; at "
                + "most 1 MiB in all.")
        @Nullable LocalRef configMap,
    @JsonPropertyDescription("A claim whose volume holds the files; mounted read-only.")
        @Nullable ClaimSource persistentVolumeClaim,
    @JsonPropertyDescription(
            "An image whose files are the documents; mounted read-only as an image volume.")
        @Nullable ImageSource image) {}
