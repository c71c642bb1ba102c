package dev.ragjourney.backends.openai;

import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.backends.http.Vectors;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the plan says about one OpenAI-shaped server.
 *
 * @param url what the paths of the API are added to; ends in {@code /v1} with most servers
 * @param model sent as it is; Azure's deployment
 * @param reasoningEffort sent as it is where a prompt names none; null sends none
 * @param maxTokens of an answer where a prompt names no limit; null sends none
 * @param temperature null sends none
 * @param dimensions of vectors, asked for and checked; null for the model's own
 * @param completionTokens the limit of tokens is called {@code max_completion_tokens} for every
 *     model: reasoning models take no other name, and many compatible servers know only {@code
 *     max_tokens}
 * @param countsStreams asks for the token counts of a stream
 */
record OpenAiSettings(
    URI url,
    String model,
    @Nullable String reasoningEffort,
    @Nullable Integer maxTokens,
    @Nullable Double temperature,
    @Nullable Integer dimensions,
    boolean completionTokens,
    boolean countsStreams) {

  static OpenAiSettings of(BackendPlan plan) {
    if (plan.kind().equals(OpenAiBackend.AZURE_KIND)) {
      AzureDeployment azure = AzureDeployment.of(plan);
      return of(plan, azure.url(), azure.name(), azure.current(), azure.current());
    }
    String model = plan.settings().get("model");
    if (model == null || model.isBlank()) {
      throw new IllegalArgumentException(plan.path("model") + " is missing, must name a model");
    }
    URI url = Endpoint.of(plan, "url");
    String host = url.getHost().toLowerCase(Locale.ROOT);
    return of(plan, url, model, host.equals("openai.com") || host.endsWith(".openai.com"), true);
  }

  private static OpenAiSettings of(
      BackendPlan plan, URI url, String model, boolean completionTokens, boolean countsStreams) {
    return new OpenAiSettings(
        url,
        model,
        plan.settings().get("reasoningEffort"),
        maxTokens(plan),
        temperature(plan),
        Vectors.declaredDimension(plan),
        completionTokens,
        countsStreams);
  }

  private static @Nullable Integer maxTokens(BackendPlan plan) {
    String value = plan.settings().get("maxTokens");
    if (value == null) {
      return null;
    }
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException(
          plan.path("maxTokens") + " is \"" + value + "\", must be a whole number above 0");
    }
    return Integer.valueOf(value);
  }

  private static @Nullable Double temperature(BackendPlan plan) {
    String value = plan.settings().get("temperature");
    if (value == null) {
      return null;
    }
    if (!value.matches("[0-9](\\.[0-9]{1,6})?")) {
      throw new IllegalArgumentException(
          plan.path("temperature") + " is \"" + value + "\", must be a number such as 0.2");
    }
    return Double.valueOf(value);
  }
}
