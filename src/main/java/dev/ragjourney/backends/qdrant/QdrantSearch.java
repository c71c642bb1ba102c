package dev.ragjourney.backends.qdrant;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import java.util.List;

/**
 * {@code {"query", "using"?, "limit", "with_payload", "params"?}} → {@code {"result": {"points":
 * [{"id", "score", "payload"}]}}}.
 */
record QdrantSearch(HttpTransport transport, QdrantCollection collection) implements PassageSearch {
  @Override
  public PassagesFound search(StageCall call, SearchQuery query)
      throws BackendException, CallCancelledException {
    float[] vector = query.vector();
    if (vector == null || query.keywordOnly()) {
      // The reader refuses journeys that never have one; this is left when an embedding failed.
      throw new BackendException(
          BackendException.Kind.REFUSED,
          transport.backend()
              + ": Qdrant searches by vector, and there is none of this question to search by");
    }
    if (query.topK() <= 0) {
      return PassagesFound.whole(List.of());
    }
    return new QdrantPoints(transport.backend(), collection)
        .passages(
            transport.post(call, collection.query(call), request(query, vector)), query.topK());
  }

  /** Nothing of a point is asked for but what a passage is made of: vectors are long. */
  ObjectNode request(SearchQuery query, float[] vector) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ArrayNode components = request.putArray("query");
    for (float component : vector) {
      components.add(component);
    }
    if (collection.vectorField() != null) {
      request.put("using", collection.vectorField());
    }
    request.put("limit", query.topK());
    ArrayNode payload = request.putArray("with_payload").add(collection.contentField());
    if (!collection.titleField().equals(collection.contentField())) {
      payload.add(collection.titleField());
    }
    Integer ef = query.ef() == null ? collection.ef() : query.ef();
    if (ef != null) {
      request.putObject("params").put("hnsw_ef", ef);
    }
    return request;
  }
}
