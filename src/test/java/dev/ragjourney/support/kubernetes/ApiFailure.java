package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An answer that is not 2xx, as the {@code Status} object that the real server would send. */
final class ApiFailure extends RuntimeException {
  private final int code;
  private final String reason;
  private final String cause;

  private ApiFailure(int code, String reason, String cause, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.cause = cause;
  }

  ApiFailure(int code, String reason, String message) {
    this(code, reason, "", message);
  }

  static ApiFailure notFound(ResourceType type, String name) {
    return new ApiFailure(404, "NotFound", type.plural() + " \"" + name + "\" not found");
  }

  static ApiFailure conflict(String message) {
    return new ApiFailure(409, "Conflict", message);
  }

  static ApiFailure badRequest(String message) {
    return new ApiFailure(400, "BadRequest", message);
  }

  static ApiFailure namespaceTerminating(String namespace) {
    return new ApiFailure(
        403,
        "Forbidden",
        "NamespaceTerminating",
        "unable to create new content in namespace " + namespace + ", it is being terminated");
  }

  int code() {
    return code;
  }

  ObjectNode status() {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
    status.put("message", getMessage()).put("reason", reason).put("code", code);
    status.putObject("metadata");
    if (!cause.isEmpty()) {
      status.putObject("details").putArray("causes").addObject().put("reason", cause);
    }
    return status;
  }
}
