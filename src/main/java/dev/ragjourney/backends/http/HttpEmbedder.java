package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.StageCall;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Embeds with a service of the user's own. */
record HttpEmbedder(HttpTransport transport, URI url, @Nullable Integer dimension)
    implements Embedder {
  @Override
  public float[] embed(StageCall call, String text)
      throws BackendException, CallCancelledException {
    var request = JourneyJson.embedRequest(text);
    return Vectors.of(
        transport.backend(), transport.post(call, url, request).path("embedding"), dimension);
  }
}
