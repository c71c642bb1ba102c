package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Question;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The answer as a chat completion; streamed, as chunks that begin when the content begins. */
final class ChatVoice implements Voice {
  private static final String END = "[DONE]";

  private final ServerResponse response;
  private final ChatParameters parameters;
  private final ChatCompletion completion;
  private final EventStream events;

  ChatVoice(ServerResponse response, ChatParameters parameters, ChatCompletion completion) {
    this.response = response;
    this.parameters = parameters;
    this.completion = completion;
    this.events = new EventStream(response);
  }

  @Override
  public void accept(String content) throws CallCancelledException {
    if (!events.started()) {
      events.say(EventStream.UNNAMED, spelled(completion.roleChunk()));
    }
    events.say(EventStream.UNNAMED, spelled(completion.contentChunk(content)));
  }

  @Override
  public boolean started() {
    return events.started();
  }

  @Override
  public void end(Question question, Answer answer) throws IOException {
    if (!parameters.stream()) {
      response
          .header(HeaderNames.CONTENT_TYPE, "application/json")
          .send(completion.whole(question, answer).toString().getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (!events.started()) {
      // A text that no model wrote just now comes in one piece.
      emit(completion.roleChunk());
      emit(completion.contentChunk(answer.content()));
    }
    emit(completion.lastChunk(question, answer));
    ObjectNode usage = parameters.usage() ? completion.usageChunk(answer) : null;
    if (usage != null) {
      events.emit(EventStream.UNNAMED, usage.toString());
    }
    events.emit(EventStream.UNNAMED, END);
    events.close();
  }

  private void emit(ObjectNode chunk) throws IOException {
    events.emit(EventStream.UNNAMED, spelled(chunk));
  }

  /** Where the usage comes last, every chunk before says that it is still to come. */
  private String spelled(ObjectNode chunk) {
    return (parameters.usage() ? chunk.putNull("usage") : chunk).toString();
  }
}
