package dev.ragjourney.backends.openai;

import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpRequestBody;
import com.openai.core.http.HttpResponse;
import dev.ragjourney.backends.http.Endpoint;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends what the SDK asks over this project's own transport, which closes the connection when the
 * call is cut off. Of the SDK's address only the path is used, and of its headers none is sent: the
 * key it insists on is a placeholder, and the transport sets the real one, or none.
 */
final class SdkTransport implements HttpClient {
  /**
   * The call that the SDK works for, on the calling thread: the SDK's own options carry no more
   * than a time-out.
   *
   * @param streaming the answer is read as it comes
   * @param headers of this call
   */
  record Current(StageCall call, boolean streaming, Map<String, String> headers) {}

  /** Carries a failure through the SDK unchanged. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failed(Exception cause) {
      super(null, cause, false, false);
    }
  }

  static final ScopedValue<Current> CURRENT = ScopedValue.newInstance();

  private final HttpTransport transport;
  private final URI url;

  SdkTransport(HttpTransport transport, URI url) {
    this.transport = transport;
    this.url = url;
  }

  @Override
  public HttpResponse execute(HttpRequest request, RequestOptions options) {
    Current current = CURRENT.get();
    URI uri = Endpoint.plus(url, URI.create(request.url()).getRawPath());
    byte[] body = body(request);
    try {
      if (current.streaming) {
        return new Answer(transport.stream(current.call, uri, body, current.headers));
      }
      return new Answer(
          new ByteArrayInputStream(transport.post(current.call, uri, body, current.headers)));
    } catch (BackendException | CallCancelledException e) {
      throw new Failed(e);
    }
  }

  private static byte[] body(HttpRequest request) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (HttpRequestBody body = request.body()) {
      if (body != null) {
        body.writeTo(bytes);
      }
    }
    return bytes.toByteArray();
  }

  @Override
  public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions options) {
    throw new UnsupportedOperationException("calls block on virtual threads of their own");
  }

  /** The backend owns the transport. */
  @Override
  public void close() {}

  /** A 2xx; every other status ended in a failure. */
  private record Answer(InputStream body) implements HttpResponse {
    private static final Headers NONE = Headers.builder().build();

    @Override
    public int statusCode() {
      return 200;
    }

    @Override
    public Headers headers() {
      return NONE;
    }

    @Override
    public void close() {
      try {
        body.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
