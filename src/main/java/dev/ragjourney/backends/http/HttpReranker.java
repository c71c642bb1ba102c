package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.StageCall;
import java.net.URI;
import java.util.List;

/** Reranks with a service of the user's own. */
record HttpReranker(HttpTransport transport, URI url) implements Reranker {
  @Override
  public PassagesFound rerank(StageCall call, String question, List<Passage> passages)
      throws BackendException, CallCancelledException {
    if (passages.isEmpty()) {
      return PassagesFound.whole(passages);
    }
    var request = JourneyJson.rerankRequest(question, passages, CallHeaders.remainingMillis(call));
    return JourneyJson.rerankAnswer(
        transport.backend(), transport.post(call, url, request), passages);
  }
}
