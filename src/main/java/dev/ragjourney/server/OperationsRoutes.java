package dev.ragjourney.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.telemetry.Exposition;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** {@code /metrics}, {@code /livez}, {@code /readyz} and {@code /plan}. */
final class OperationsRoutes implements HttpService {
  private static final ObjectMapper JSON = new JsonMapper();

  private final PlanStore plans;
  private final Exposition exposition;
  private final Admission admission;

  OperationsRoutes(PlanStore plans, Exposition exposition, Admission admission) {
    this.plans = plans;
    this.exposition = exposition;
    this.admission = admission;
  }

  @Override
  public void routing(HttpRules rules) {
    rules
        .get("/metrics", this::metrics)
        .get("/livez", this::live)
        .get("/readyz", this::ready)
        .get("/plan", this::plan);
  }

  private void metrics(ServerRequest request, ServerResponse response) throws IOException {
    String type = Exposition.contentType(request.headers().first(HeaderNames.ACCEPT).orElse(null));
    StringWriter text = new StringWriter();
    exposition.write(text, type);
    response
        .header(HeaderNames.CONTENT_TYPE, type)
        .send(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void live(ServerRequest request, ServerResponse response) {
    send(response, 200, JSON.createObjectNode().put("live", true));
  }

  private void ready(ServerRequest request, ServerResponse response) {
    PlanStore.Status status = plans.status();
    ObjectNode json = JSON.createObjectNode();
    ArrayNode reasons = JSON.createArrayNode();
    if (admission.closing()) {
      reasons.add("the pod is closing");
    } else if (status.plan() == null) {
      status.waitingFor().forEach(reasons::add);
      if (reasons.isEmpty()) {
        reasons.add(status.lastError() == null ? "no plan is loaded yet" : status.lastError());
      }
    }
    json.put("ready", reasons.isEmpty());
    json.set("reasons", reasons);
    send(response, reasons.isEmpty() ? 200 : 503, json);
  }

  private void plan(ServerRequest request, ServerResponse response) throws IOException {
    PlanStore.Status status = plans.status();
    ObjectNode json = JSON.createObjectNode();
    Plan plan = status.plan();
    if (plan != null) {
      json.put("namespace", plan.namespace());
      json.put("journey", plan.journey());
      json.put("generation", plan.generation());
      json.put("revision", plan.revision());
      json.put("schemaVersion", plan.schemaVersion());
      json.put("loadedAt", String.valueOf(status.loadedAt()));
    }
    if (status.lastError() != null) {
      json.put("lastError", status.lastError());
    }
    if (plan != null) {
      json.set("plan", JSON.readTree(written(plan)));
    }
    send(response, 200, json);
  }

  private static String written(Plan plan) {
    try {
      return PlanCodec.write(plan);
    } catch (InvalidPlanException e) {
      throw new IllegalStateException("a plan that was read can be written", e);
    }
  }

  private static void send(ServerResponse response, int status, ObjectNode json) {
    response
        .status(Status.create(status))
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .send(json.toString().getBytes(StandardCharsets.UTF_8));
  }
}
