package dev.ragjourney.backends.http;

import static org.awaitility.Awaitility.await;

import dev.ragjourney.backends.openai.OpenAiBackend;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Cuts calls off and asks the server when it saw the connection close. */
final class FarEnd implements AutoCloseable {
  /** What the call does when it is cut. */
  enum Scene {
    PLAIN_NO_HEADERS("a plain call that never gets an answer", Fault.Kind.HANG_BEFORE_HEADERS),
    PLAIN_HALF_BODY("a plain call whose body stops half-way", Fault.Kind.HANG_IN_BODY),
    PLAIN_DRIP("a plain call whose body drips", Fault.Kind.SLOW_DRIP),
    STREAM_NO_HEADERS("a stream that never begins", Fault.Kind.HANG_BEFORE_HEADERS),
    STREAM_HALF_BODY("a stream that stops half-way", Fault.Kind.HANG_IN_BODY),
    STREAM_DRIP("a stream that drips", Fault.Kind.SLOW_DRIP),
    STREAM_KEEP_ALIVES("a stream of keep-alives", Fault.Kind.KEEP_ALIVES_FOREVER);

    private final String sentence;
    private final Fault.Kind fault;

    Scene(String sentence, Fault.Kind fault) {
      this.sentence = sentence;
      this.fault = fault;
    }

    boolean streams() {
      return name().startsWith("STREAM");
    }

    @Override
    public String toString() {
      return sentence;
    }
  }

  /** How the call is cut. */
  enum Cut {
    INTERRUPT,
    CANCELLATION;

    void apply(CutCall call) {
      if (this == INTERRUPT) {
        call.interrupt();
      } else {
        call.cancel();
      }
    }
  }

  private final ScriptedBackend server;
  private final RemoteBackend http;
  private final RemoteBackend openai;

  FarEnd() throws IOException {
    server = ScriptedBackend.start();
    Path none = Path.of("/none");
    http = HttpBackend.open(Backends.plan("docs", "http", server.url("/http/search")), none);
    openai =
        OpenAiBackend.open(Backends.plan("llm", "openai", server.url("/v1"), "model", "m"), none);
  }

  /** What the same takes with nothing but a socket that is closed: the machine's own share. */
  Duration timeToCloseSocket() throws IOException {
    server.reset();
    server.script("*", Behaviour.faulty(Fault.Kind.HANG_BEFORE_HEADERS));
    long before;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String request =
          "POST /http/search HTTP/1.1\r\nContent-Length: 16\r\n\r\n{\"question\":\"q\"}";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().pollInterval(Duration.ofMillis(1)).until(() -> server.exchanges().size() == 1);
      before = System.nanoTime();
    }
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN);
    return Duration.ofNanos(server.onlyExchange().endedNanos() - before);
  }

  /** From the cut to the moment the server saw the connection closed. */
  Duration timeToClose(Scene scene, Cut cut) {
    server.reset();
    server.script("*", Behaviour.PLAIN.with(Fault.always(scene.fault).every(1)));
    CutCall call = CutCall.unhurried();
    var running = call.start(() -> work(scene, call.stageCall()));
    await().pollInterval(Duration.ofMillis(1)).until(() -> server.exchanges().size() == 1);
    // Let the answer begin, so that the cut meets it in the middle.
    long begun = System.nanoTime() + 3_000_000;
    await().pollInterval(Duration.ofMillis(1)).until(() -> System.nanoTime() > begun);
    long before = System.nanoTime();
    cut.apply(call);
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> server.onlyExchange().ending() != Exchange.Ending.OPEN && running.isDone());
    if (server.onlyExchange().ending() != Exchange.Ending.CLOSED_BY_CLIENT) {
      throw new AssertionError("ended as " + server.onlyExchange().ending());
    }
    return Duration.ofNanos(server.onlyExchange().endedNanos() - before);
  }

  /** A quantile of many cuts, 0…1. */
  Duration timeToClose(Scene scene, Cut cut, int rounds, double quantile) {
    return timesToClose(scene, cut, rounds, quantile)[0];
  }

  Duration[] timesToClose(Scene scene, Cut cut, int rounds, double... quantiles) {
    long[] nanos = new long[rounds];
    Arrays.setAll(nanos, i -> timeToClose(scene, cut).toNanos());
    return quantiles(nanos, quantiles);
  }

  static Duration[] quantiles(long[] nanos, double... quantiles) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return Arrays.stream(quantiles)
        .mapToObj(quantile -> sorted[Math.min(sorted.length - 1, (int) (quantile * sorted.length))])
        .map(Duration::ofNanos)
        .toArray(Duration[]::new);
  }

  long connectionsOpen() {
    return server.connectionsOpen();
  }

  private Object work(Scene scene, StageCall call) throws Exception {
    if (scene.streams()) {
      Prompt prompt = new Prompt("When does it open?", List.of(), "", false, null, null);
      return ((Generator) openai.port(StageType.GENERATE)).generate(call, prompt, token -> {});
    }
    return ((PassageSearch) http.port(StageType.SEARCH))
        .search(call, new SearchQuery("When does it open?", null, 10, false));
  }

  @Override
  public void close() throws IOException {
    http.close();
    openai.close();
    server.close();
  }
}
