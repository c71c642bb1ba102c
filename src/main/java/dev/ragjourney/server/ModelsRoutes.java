package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.plan.Plan;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** {@code /v1/models}: the journey, as chat programs look for it before they ask. */
final class ModelsRoutes implements HttpService {
  private final PlanStore plans;

  ModelsRoutes(PlanStore plans) {
    this.plans = plans;
  }

  @Override
  public void routing(HttpRules rules) {
    rules.get("/", this::all).get("/{id}", this::one);
  }

  private void all(ServerRequest request, ServerResponse response) {
    try {
      ObjectNode list = JsonNodeFactory.instance.objectNode().put("object", "list");
      list.putArray("data").add(model());
      send(response, list);
    } catch (RefusedException e) {
      OpenAiError.send(e.problem(), response);
    }
  }

  private void one(ServerRequest request, ServerResponse response) {
    try {
      ObjectNode model = model();
      String asked = request.path().pathParameters().get("id");
      String journey = model.path("id").asText();
      if (!asked.equals(journey)) {
        throw OpenAiError.unknownModel(asked, journey);
      }
      send(response, model);
    } catch (RefusedException e) {
      OpenAiError.send(e.problem(), response);
    }
  }

  private ObjectNode model() throws RefusedException {
    PlanStore.Status status = plans.status();
    Plan plan = status.plan();
    if (plan == null) {
      throw new RefusedException(
          new Problem(503, "Service Unavailable", "no plan is in force yet; see /readyz"));
    }
    Instant loaded = status.loadedAt();
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", plan.journey())
        .put("object", "model")
        .put("created", loaded == null ? 0 : loaded.getEpochSecond())
        .put("owned_by", plan.namespace());
  }

  private static void send(ServerResponse response, ObjectNode json) {
    response
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .send(json.toString().getBytes(StandardCharsets.UTF_8));
  }
}
