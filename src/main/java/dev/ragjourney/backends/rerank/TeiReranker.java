package dev.ragjourney.backends.rerank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.StageCall;
import java.net.URI;
import java.util.List;

/** {@code {"query", "texts", "truncate"}} → {@code [{"index", "score"}]}. */
record TeiReranker(HttpTransport transport, URI url, boolean truncate) implements Reranker {
  @Override
  public PassagesFound rerank(StageCall call, String question, List<Passage> passages)
      throws BackendException, CallCancelledException {
    if (passages.isEmpty()) {
      return PassagesFound.whole(passages);
    }
    ObjectNode request = JsonNodeFactory.instance.objectNode().put("query", question);
    ArrayNode texts = request.putArray("texts");
    passages.forEach(passage -> texts.add(RerankText.of(passage)));
    JsonNode answer = transport.post(call, url, request.put("truncate", truncate));
    if (!answer.isArray()) {
      throw Failures.invalid(transport.backend(), "the answer is no list of results");
    }
    return RerankText.ranked(transport.backend(), answer, "score", passages);
  }
}
