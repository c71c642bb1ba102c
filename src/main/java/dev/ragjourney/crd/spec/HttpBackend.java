package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An HTTP service of your own. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HttpBackend(
    @JsonPropertyDescription("Address that is called, http or https.")
        @Required
        @HttpUrl
        @Size(min = 1, max = 1024)
        @Nullable String url,
    @JsonPropertyDescription(
            "HTTP method: GET, POST or PUT. GET and PUT for Tool only. Default POST.")
        @OneOf({"GET", "POST", "PUT"})
        @Nullable String method,
    @JsonPropertyDescription(
            "Fields of the JSON body (query parameters of a GET) by what fills them: question, "
                + "vector, passages, answer or remainingMs; answer is there after Generate. For "
                + "Tool. Default question, answer and remainingMs under their own names.")
        @Size(max = 16)
        @Nullable Map<String, String> request,
    @JsonPropertyDescription(
            "JSON pointer into the answer by what it gives: text, at most 100000 characters. "
                + "For Tool. Default text: /text.")
        @Size(max = 16)
        @Nullable Map<String, String> response,
    @JsonPropertyDescription(
            "true: a call changes something, so that it is neither retried nor "
                + "hedged without idempotencyHeader. For Tool. Default false.")
        @Nullable Boolean sideEffects,
    @JsonPropertyDescription(
            "Header that carries a key which is the same for every attempt of one "
                + "call. For Tool. Default none.")
        @Pattern(Shape.HEADER)
        @Nullable String idempotencyHeader) {}
