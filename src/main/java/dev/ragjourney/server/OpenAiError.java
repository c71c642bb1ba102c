package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A problem in the shape that clients of OpenAI's API parse: {@code {"error": {"message", "type",
 * "param", "code"}}}; what else a problem says is under {@code ragjourney}.
 */
final class OpenAiError {
  private static final String PARAM = "param";
  private static final String CODE = "code";

  private OpenAiError() {}

  /**
   * @param param the request's member that is at fault
   * @param code a word for programs; null for the status' own
   */
  static RefusedException refused(String param, @Nullable String code, String message) {
    ObjectNode more = JsonNodeFactory.instance.objectNode().put(PARAM, param).put(CODE, code);
    return new RefusedException(new Problem(400, "Bad Request", message, more));
  }

  static RefusedException unknownModel(String model, String journey) {
    ObjectNode more =
        JsonNodeFactory.instance.objectNode().put(PARAM, "model").put(CODE, "model_not_found");
    return new RefusedException(
        new Problem(
            404,
            "Not Found",
            "there is no model \"%s\" here; the journey is \"%s\""
                .formatted(RequestJson.shortened(model), journey),
            more));
  }

  static void send(Problem problem, ServerResponse response) {
    response
        .status(Status.create(problem.status(), problem.title()))
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .send(body(problem).toString().getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode body(Problem problem) {
    ObjectNode more = problem.more().deepCopy();
    String param = more.path(PARAM).textValue();
    String code = more.path(CODE).textValue();
    more.remove(PARAM);
    more.remove(CODE);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("error")
        .put("message", problem.detail())
        .put("type", type(problem.status()))
        .put(PARAM, param)
        .put(CODE, code == null ? code(problem.status()) : code);
    if (!more.isEmpty()) {
      body.set("ragjourney", more);
    }
    return body;
  }

  private static String type(int status) {
    if (status == 429) {
      return "rate_limit_error";
    }
    return status >= 500 ? "server_error" : "invalid_request_error";
  }

  private static @Nullable String code(int status) {
    return switch (status) {
      case 403 -> "not_authorized";
      case 405 -> "method_not_allowed";
      case 408 -> "request_timeout";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_exceeded";
      case 503 -> "no_answer";
      default -> null;
    };
  }
}
