package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Rewriter;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.Turn;
import java.net.URI;
import java.util.List;

/** Rewrites with a service of the user's own. */
record HttpRewriter(HttpTransport transport, URI url) implements Rewriter {
  @Override
  public String rewrite(StageCall call, String question, List<Turn> earlier, String instructions)
      throws BackendException, CallCancelledException {
    var request =
        JourneyJson.rewriteRequest(
            question, earlier, instructions, CallHeaders.remainingMillis(call));
    return JourneyJson.rewriteAnswer(transport.backend(), transport.post(call, url, request));
  }
}
