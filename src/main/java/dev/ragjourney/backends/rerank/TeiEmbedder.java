package dev.ragjourney.backends.rerank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.Vectors;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.StageCall;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** {@code {"inputs", "truncate"}} → {@code [[…]]}. */
record TeiEmbedder(HttpTransport transport, URI url, boolean truncate, @Nullable Integer dimension)
    implements Embedder {
  @Override
  public float[] embed(StageCall call, String text)
      throws BackendException, CallCancelledException {
    ObjectNode request = JsonNodeFactory.instance.objectNode().put("inputs", text);
    JsonNode answer = transport.post(call, url, request.put("truncate", truncate));
    if (!answer.isArray() || answer.size() != 1) {
      throw Failures.invalid(transport.backend(), "the answer is no list of one vector");
    }
    return Vectors.of(transport.backend(), answer.get(0), dimension);
  }
}
