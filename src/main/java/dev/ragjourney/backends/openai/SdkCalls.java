package dev.ragjourney.backends.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.LogLevel;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIIoException;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;

/**
 * Runs calls of the SDK and turns what they throw into failures of ours. The SDK's own messages may
 * quote the prompt, so they are dropped.
 */
final class SdkCalls {
  /** Work with the SDK. */
  interface Work<T> {
    T run(OpenAIClient client) throws BackendException, CallCancelledException;
  }

  /** Never called. The SDK treats some hosts in ways of its own, so it is not told the real one. */
  private static final String NO_HOST = "http://sdk.invalid";

  private final HttpTransport transport;
  private final OpenAIClient client;

  /**
   * @param url what the paths of the API are added to; its query stays at the end
   */
  SdkCalls(HttpTransport transport, URI url) {
    this.transport = transport;
    client =
        new OpenAIClientImpl(
            ClientOptions.builder()
                .httpClient(new SdkTransport(transport, url))
                .baseUrl(NO_HOST)
                .apiKey("set-by-the-transport")
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .build());
  }

  String backend() {
    return transport.backend();
  }

  <T> T run(StageCall call, boolean streaming, Map<String, String> headers, Work<T> work)
      throws BackendException, CallCancelledException {
    var current = new SdkTransport.Current(call, streaming, headers);
    try {
      return ScopedValue.where(SdkTransport.CURRENT, current).call(() -> work.run(client));
    } catch (BackendException | CallCancelledException e) {
      throw e;
    } catch (Exception e) {
      if (call.cancellation().cancelled() || Thread.currentThread().isInterrupted()) {
        throw new CallCancelledException();
      }
      throw failure(e);
    }
  }

  private BackendException failure(Exception thrown) throws CallCancelledException {
    if (thrown instanceof SdkTransport.Failed failed) {
      if (failed.getCause() instanceof BackendException backend) {
        return backend;
      }
      throw new CallCancelledException();
    }
    if (thrown instanceof OpenAIIoException || thrown instanceof UncheckedIOException) {
      IOException cause =
          thrown.getCause() instanceof IOException io ? io : new IOException(thrown);
      return transport.broken(cause);
    }
    if (thrown instanceof OpenAIException) {
      return Failures.invalid(backend(), "an error or no JSON where the answer should be");
    }
    throw new IllegalStateException("an unforeseen failure of the OpenAI client", thrown);
  }
}
