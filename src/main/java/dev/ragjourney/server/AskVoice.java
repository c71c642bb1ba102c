package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Question;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The answer as one JSON object; streamed, {@code token} events as it is written and then one
 * {@code answer} event with the same object.
 */
final class AskVoice implements Voice {
  private final ServerResponse response;
  private final boolean streaming;
  private final EventStream events;

  AskVoice(ServerResponse response, boolean streaming) {
    this.response = response;
    this.streaming = streaming;
    this.events = new EventStream(response);
  }

  @Override
  public void accept(String content) throws CallCancelledException {
    events.say("token", JsonNodeFactory.instance.objectNode().put("content", content).toString());
  }

  @Override
  public boolean started() {
    return events.started();
  }

  @Override
  public void end(Question question, Answer answer) throws IOException {
    String json = AnswerJson.of(question, answer).toString();
    if (streaming) {
      events.emit("answer", json);
      events.close();
    } else {
      response
          .header(HeaderNames.CONTENT_TYPE, "application/json")
          .send(json.getBytes(StandardCharsets.UTF_8));
    }
  }
}
