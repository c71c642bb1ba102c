package dev.ragjourney.backends.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** First calls that answer no question: see {@link LoopbackServer}. */
public final class WarmUp {
  /** The first loads classes, the others let the compiler see what is hot. */
  public static final int ROUNDS = 20;

  /** Generous: the first call of a busy machine takes seconds. */
  private static final long CALL_NANOS = 30_000_000_000L;

  private WarmUp() {}

  /** A call of a warm-up. */
  public static StageCall call() {
    MonotonicTime time = MonotonicTime.system();
    long end = time.nanos() + CALL_NANOS;
    return new StageCall(
        "warm-up", 0, StageCall.Role.PRIMARY, time, end, end, Cancellation.NONE, null);
  }

  /** The same backend, reached at another address, without secrets, with vectors of any size. */
  public static BackendPlan twin(BackendPlan plan, URI url) {
    Map<String, String> settings = new TreeMap<>(plan.settings());
    settings.put(settings.containsKey("endpoint") ? "endpoint" : "url", url.toString());
    settings.remove("dimensions");
    settings.remove("workloadIdentity");
    return new BackendPlan(
        plan.name(), plan.kind(), settings, Map.of(), List.of(), null, 5_000, 1, plan.labels());
  }

  /** Loads what a handshake needs, if the backend is reached over TLS. */
  public static void tls(BackendPlan plan, URI url, Path secretsDirectory)
      throws IOException, CallCancelledException {
    if (!"https".equalsIgnoreCase(url.getScheme())) {
      return;
    }
    try (LoopbackServer server = LoopbackServer.withoutCertificate();
        HttpTransport transport = HttpTransport.open(twin(plan, server.url()), secretsDirectory)) {
      transport.post(call(), server.url(), JsonNodeFactory.instance.objectNode());
    } catch (BackendException e) {
      // Without a certificate no handshake succeeds; it has loaded its classes by then.
    }
  }
}
