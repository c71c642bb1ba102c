package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;

/**
 * An error as {@code application/problem+json} has it. The detail says what was found and what
 * would be right; more members may follow.
 */
record Problem(int status, String title, String detail, ObjectNode more) {
  static final String MEDIA_TYPE = "application/problem+json";

  Problem(int status, String title, String detail) {
    this(status, title, detail, JsonNodeFactory.instance.objectNode());
  }

  void send(ServerResponse response) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", "about:blank");
    body.put("title", title);
    body.put("status", status);
    body.put("detail", detail);
    body.setAll(more);
    response
        .status(Status.create(status, title))
        .header(HeaderNames.CONTENT_TYPE, MEDIA_TYPE)
        .send(body.toString().getBytes(StandardCharsets.UTF_8));
  }
}
