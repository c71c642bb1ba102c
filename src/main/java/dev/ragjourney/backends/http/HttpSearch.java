package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import java.net.URI;

/** Searches with a service of the user's own. */
record HttpSearch(HttpTransport transport, URI url) implements PassageSearch {
  @Override
  public PassagesFound search(StageCall call, SearchQuery query)
      throws BackendException, CallCancelledException {
    var request = JourneyJson.searchRequest(query, CallHeaders.remainingMillis(call));
    return JourneyJson.searchAnswer(
        transport.backend(), transport.post(call, url, request), query.topK());
  }
}
