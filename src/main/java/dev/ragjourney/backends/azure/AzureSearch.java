package dev.ragjourney.backends.azure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;

/**
 * Searches an index. A call that cannot wait for the ranker asks without it at once: a query that
 * is cut off while the ranker works finds nothing.
 */
record AzureSearch(HttpTransport transport, AzureIndex index, PlainTimes plain)
    implements PassageSearch {
  static final String NO_TIME = "ranker_no_time";

  @Override
  public PassagesFound search(StageCall call, SearchQuery query)
      throws BackendException, CallCancelledException {
    long begun = call.time().nanos();
    boolean ranked = index.ranks() && timeForRanker(call.deadlineNanos() - begun);
    JsonNode json = transport.post(call, index.url(), AzureQuery.of(index, query, ranked));
    AzureAnswer answer = new AzureAnswer(transport.backend(), index, json);
    PassagesFound found =
        new PassagesFound(
            answer.passages(), ranked ? answer.degradedReason() : index.ranks() ? NO_TIME : null);
    if (!ranked) {
      plain.took(call.time().nanos() - begun);
    }
    return found;
  }

  private boolean timeForRanker(long allowanceNanos) {
    return allowanceNanos >= index.rankerMaxWait().toNanos() + plain.medianNanos();
  }

  /** Words are part of every query. */
  @Override
  public boolean searchesBoth() {
    return true;
  }
}
