package dev.ragjourney.server;

import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.telemetry.Exposition;
import dev.ragjourney.telemetry.PodPlaces;
import dev.ragjourney.telemetry.PrometheusListener;
import dev.ragjourney.telemetry.Tracing;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pod's two ports: journeys and operations on one, operations alone on the other, which no
 * crowd of journeys keeps from answering.
 */
public final class PodServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodServer.class);
  private static final String ADMIN = "admin";
  private static final String MODELS = "/v1/models";
  private static final Dialect ASK = new AskDialect();
  private static final Map<String, Dialect> DIALECTS =
      Map.of("/v1/ask", ASK, "/v1/chat/completions", new ChatDialect());

  /** A connection that sends nothing for so long is closed, between requests or within one. */
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

  /** Within the 15 minutes that the operator gives a pod at most. */
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(15).minusSeconds(5);

  /** Cancelled journeys are given so long to say so to their callers. */
  private static final Duration CANCELLING = Duration.ofSeconds(1);

  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_CONNECTIONS = 4_096;

  /**
   * @param bind address to listen on
   * @param port of journeys; 0 lets the machine choose
   * @param adminPort of operations alone; 0 lets the machine choose
   * @param settle after the signal to stop: how long new requests may still come, because the news
   *     that the pod is going away takes time to reach every proxy
   */
  public record Settings(String bind, int port, int adminPort, Duration settle) {}

  private final Settings settings;
  private final PlanStore plans;
  private final Admission admission;
  private final WebServer server;

  public PodServer(
      Settings settings,
      ConcurrencyLimit limit,
      PlanStore plans,
      Journeys journeys,
      PrometheusListener metrics,
      Tracing tracing,
      MonotonicTime time,
      InstantSource clock) {
    this.settings = settings;
    this.plans = plans;
    this.admission = new Admission(limit, time);
    metrics.watchPlaces(this::places);
    Exposition exposition = new Exposition(metrics);
    JourneyHandler.Pod pod =
        new JourneyHandler.Pod(plans, journeys, admission, metrics, tracing, time, clock);
    HttpRouting.Builder journeyRoutes = HttpRouting.builder();
    DIALECTS.forEach((path, dialect) -> questions(journeyRoutes, path, dialect, pod));
    journeyRoutes
        .register(MODELS, () -> new ModelsRoutes(plans))
        .register(() -> new OperationsRoutes(plans, exposition, admission));
    HttpRouting.Builder adminRoutes =
        HttpRouting.builder().register(() -> new OperationsRoutes(plans, exposition, admission));
    this.server =
        WebServer.builder()
            .host(settings.bind())
            .port(settings.port())
            .shutdownHook(false)
            .maxTcpConnections(MAX_CONNECTIONS)
            .shutdownGracePeriod(Duration.ofMillis(500))
            .connectionOptions(PodServer::sockets)
            .addConnectionSelector(
                new CallersLines(Http1Config.builder().maxHeadersSize(MAX_HEADER_BYTES).build()))
            .routing(withErrors(journeyRoutes))
            .putSocket(
                ADMIN,
                socket ->
                    socket
                        .host(settings.bind())
                        .port(settings.adminPort())
                        .connectionOptions(PodServer::sockets)
                        .routing(withErrors(adminRoutes)))
            .build();
  }

  private static void questions(
      HttpRouting.Builder routes, String path, Dialect dialect, JourneyHandler.Pod pod) {
    routes
        .post(path, new JourneyHandler(dialect, pod))
        .any(
            path,
            (request, response) -> {
              response.header(HeaderNames.ALLOW, "POST");
              dialect.refuse(
                  new Problem(405, "Method Not Allowed", "questions are asked by POST"), response);
            });
  }

  private static void sockets(SocketOptions.BuilderBase<?, ?> options) {
    options.readTimeout(READ_TIMEOUT).tcpNoDelay(true);
  }

  private static HttpRouting.Builder withErrors(HttpRouting.Builder routes) {
    return routes
        .any(
            (request, response) ->
                new Problem(404, "Not Found", "there is nothing at this path").send(response))
        .error(
            Exception.class,
            (request, response, e) -> {
              LOG.error("A request failed", e);
              DIALECTS
                  .getOrDefault(request.path().path(), ASK)
                  .refuse(
                      new Problem(
                          500, "Internal Server Error", "the request failed; see the pod's log"),
                      response);
            });
  }

  public void start() {
    server.start();
    LOG.info("Journeys on port {}, operations on port {}", port(), adminPort());
  }

  public int port() {
    return server.port();
  }

  public int adminPort() {
    return server.port(ADMIN);
  }

  private PodPlaces places() {
    Load load = admission.load();
    return new PodPlaces(load.inFlight() + load.spared(), load.limit(), load.queued());
  }

  /** The pod has time for more than its journeys: it is neither crowded nor going away. */
  public boolean spare() {
    return !admission.closing() && AdmissionRule.relaxed(admission.load());
  }

  /** Journeys on their way, and questions that wait. */
  public int journeys() {
    return admission.inside();
  }

  /**
   * Not ready from now on; serves what still comes for the settle time, then waits until the
   * journeys on their way have ended, at most as long as the plan allows them. What is on its way
   * then is cancelled, its calls closed, and the server stops.
   */
  @Override
  public void close() {
    close(drainLimit());
  }

  void close(Duration limit) {
    admission.close();
    try {
      Thread.sleep(settings.settle());
      if (!admission.awaitEmpty(limit)) {
        LOG.warn("{} journeys did not end within {}; they are cancelled", journeys(), limit);
        admission.cancelAll();
        boolean ended = admission.awaitEmpty(CANCELLING);
        LOG.info("Cancelled journeys {}", ended ? "have ended" : "have not all ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop();
  }

  /**
   * A journey's longest life, its budget and a stream's longest, as far as the time that Kubernetes
   * gives a pod to stop leaves room for what comes before and after.
   */
  private Duration drainLimit() {
    var plan = plans.status().plan();
    if (plan == null) {
      return Duration.ZERO;
    }
    Duration life = plan.budget().total().plus(plan.budget().streamMax()).plusSeconds(5);
    return life.compareTo(LONGEST_DRAIN) > 0 ? LONGEST_DRAIN : life;
  }
}
