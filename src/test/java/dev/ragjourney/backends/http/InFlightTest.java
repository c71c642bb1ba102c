package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.support.CutCall;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;

/** An answer that comes at the very moment of the cut must not keep its connection. */
class InFlightTest {
  /** Long enough to never end, in nanoseconds. */
  private static final long LONG = 60_000_000_000L;

  private final Body body = new Body();
  private final CutCall call = CutCall.unhurried();
  private final InFlight<InputStream> flight =
      new InFlight<>("llm", call.stageCall(), InFlight::close);

  @Test
  void an_interrupt_that_meets_the_answer_closes_it() {
    HttpResponse<InputStream> answer = answer();
    CompletableFuture<HttpResponse<InputStream>> sent =
        new CompletableFuture<>() {
          @Override
          public HttpResponse<InputStream> get(long time, TimeUnit unit)
              throws InterruptedException {
            complete(answer);
            throw new InterruptedException();
          }
        };

    assertThatThrownBy(() -> flight.await(sent, LONG)).isInstanceOf(CallCancelledException.class);

    assertThat(Thread.interrupted()).as("the interrupt is handed on").isTrue();
    assertThat(body.closed).isTrue();
  }

  @Test
  void a_cancellation_between_the_answer_and_its_reader_closes_it() throws Exception {
    flight.await(CompletableFuture.completedFuture(answer()), LONG);

    call.cancel();

    assertThatThrownBy(() -> flight.started(body)).isInstanceOf(CallCancelledException.class);
    assertThat(body.closed).isTrue();
  }

  @Test
  void a_cancellation_while_the_answer_is_read_closes_it() throws Exception {
    flight.await(CompletableFuture.completedFuture(answer()), LONG);
    flight.started(body);
    assertThat(body.closed).isFalse();

    call.cancel();

    assertThat(body.closed).isTrue();
  }

  @Test
  void a_wait_that_is_over_cancels_the_request() {
    CompletableFuture<HttpResponse<InputStream>> sent = new CompletableFuture<>();

    assertThatThrownBy(() -> flight.await(sent, 1)).isInstanceOf(CallCancelledException.class);

    assertThat(sent).isCancelled();
  }

  private HttpResponse<InputStream> answer() {
    return new Answer(body);
  }

  private static final class Body extends InputStream {
    private boolean closed;

    @Override
    public int read() {
      return -1;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private record Answer(InputStream body) implements HttpResponse<InputStream> {
    @Override
    public int statusCode() {
      return 200;
    }

    @Override
    public HttpRequest request() {
      return HttpRequest.newBuilder(uri()).build();
    }

    @Override
    public Optional<HttpResponse<InputStream>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(Map.of(), (name, value) -> true);
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return URI.create("http://localhost");
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }
}
