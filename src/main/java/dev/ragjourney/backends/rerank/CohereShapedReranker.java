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

/**
 * {@code {"model", "query", "documents", "top_n"}} → {@code {"results": [{"index",
 * "relevance_score"}]}}.
 */
record CohereShapedReranker(HttpTransport transport, URI url, RerankStyle style, String model)
    implements Reranker {
  @Override
  public PassagesFound rerank(StageCall call, String question, List<Passage> passages)
      throws BackendException, CallCancelledException {
    if (passages.isEmpty()) {
      return PassagesFound.whole(passages);
    }
    JsonNode answer = transport.post(call, url, request(question, passages));
    return answer(answer, passages);
  }

  ObjectNode request(String question, List<Passage> passages) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    if (!model.isEmpty()) {
      request.put("model", model);
    }
    request.put("query", question);
    ArrayNode documents = request.putArray("documents");
    passages.forEach(passage -> documents.add(RerankText.of(passage)));
    request.put("top_n", passages.size());
    if (style == RerankStyle.JINA) {
      request.put("return_documents", false);
    }
    return request;
  }

  PassagesFound answer(JsonNode answer, List<Passage> passages) throws BackendException {
    JsonNode results = answer.path("results");
    if (!results.isArray()) {
      throw Failures.invalid(transport.backend(), "the answer has no list \"results\"");
    }
    return RerankText.ranked(transport.backend(), results, "relevance_score", passages);
  }
}
