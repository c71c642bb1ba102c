package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.Tool;
import dev.ragjourney.pipeline.ToolInput;
import java.net.URI;
import java.util.Map;

/** A service of the user's own, asked in the way its plan says. */
record HttpTool(HttpTransport transport, URI url, ToolProtocol protocol) implements Tool {
  @Override
  public boolean repeatable() {
    return protocol.repeatable();
  }

  @Override
  public boolean keyed() {
    return protocol.idempotencyHeader() != null;
  }

  @Override
  public String call(StageCall call, ToolInput input)
      throws BackendException, CallCancelledException {
    String header = protocol.idempotencyHeader();
    Map<String, String> extra =
        header == null || call.key() == null ? Map.of() : Map.of(header, call.key());
    var request = protocol.request(input, CallHeaders.remainingMillis(call));
    var answer =
        protocol.method().equals("GET")
            ? transport.get(call, ToolProtocol.withQuery(url, request), extra)
            : transport.send(call, url, protocol.method(), request, extra);
    return protocol.text(transport.backend(), answer);
  }
}
