package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.telemetry.JourneyTrace;
import dev.ragjourney.telemetry.PrometheusListener;
import dev.ragjourney.telemetry.Tracing;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One journey for each request, in one dialect. */
final class JourneyHandler implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(JourneyHandler.class);
  private static final HeaderName LEVEL = HeaderNames.create("x-rag-level");
  private static final HeaderName DEGRADED = HeaderNames.create("x-rag-degraded");

  private final Dialect dialect;
  private final Pod pod;

  /** What the handlers of a pod share. */
  record Pod(
      PlanStore plans,
      Journeys journeys,
      Admission admission,
      PrometheusListener metrics,
      Tracing tracing,
      MonotonicTime time,
      InstantSource clock) {}

  JourneyHandler(Dialect dialect, Pod pod) {
    this.dialect = dialect;
    this.pod = pod;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    long arrival = pod.time.nanos();
    if (pod.admission.closing()) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    Body body = new Body(request, dialect.maxBytes(), pod.time);
    if (!pod.admission.enter()) {
      refuse(tooMany(response), body, response);
      return;
    }
    try {
      ask(request, body.read(), response, arrival);
    } catch (RefusedException e) {
      refuse(e.problem(), body, response);
    } catch (IOException e) {
      LOG.debug("The caller went away before the end of the answer");
    } finally {
      pod.admission.leave();
    }
  }

  private void refuse(Problem problem, Body body, ServerResponse response) {
    boolean drained = body.drained();
    if (!drained) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    dialect.refuse(problem, response);
    if (!drained) {
      throw new CloseConnectionException("the rest of the body is not wanted");
    }
  }

  private void ask(ServerRequest request, byte[] body, ServerResponse response, long arrival)
      throws RefusedException, IOException {
    Asking asking =
        dialect.read(request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null), body);
    String tenant = Tenant.of(header(request, Tenant.HEADER), asking.user());
    LoadedPlan loaded = pod.plans.enter();
    if (loaded == null) {
      throw new RefusedException(
          new Problem(503, "Service Unavailable", "no plan is in force yet; see /readyz"));
    }
    try {
      Voice voice = asking.voice(loaded.route(), response, pod.clock.instant());
      run(request, response, arrival, asking, tenant, voice, loaded.route());
    } finally {
      loaded.leave();
    }
  }

  private void run(
      ServerRequest request,
      ServerResponse response,
      long arrival,
      Asking asking,
      String tenant,
      Voice voice,
      Route route)
      throws IOException {
    BudgetHeaders.Caller caller = BudgetHeaders.read(name -> header(request, name));
    caller.ignored().forEach(pod.metrics::budgetHeaderIgnored);
    JourneyTrace trace = pod.tracing.start(route, header(request, "traceparent").orElse(null));
    Question question =
        new Question(
            asking.question(),
            asking.earlier(),
            tenant,
            arrival,
            caller.remainingNanos(),
            asking.stream(),
            asking.maxTokens(),
            0,
            null,
            trace.traceparent(),
            trace.traceId());
    Answer answer;
    try {
      answer = pod.journeys.run(route, question, voice, Cancellation.NONE);
    } catch (CallCancelledException e) {
      trace.abandon();
      throw new IOException("nobody reads the answer", e);
    }
    trace.end(answer);
    if (!voice.started()) {
      response.header(LEVEL, answer.levelName());
      response.header(DEGRADED, Boolean.toString(answer.degraded()));
    }
    if (answer.outcome() == Answer.Outcome.ERROR && !voice.started()) {
      dialect.refuse(failed(question, answer), response);
    } else {
      voice.end(question, answer);
    }
  }

  private static Optional<String> header(ServerRequest request, String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  private static Problem failed(Question question, Answer answer) {
    Answer.Problem problem = answer.problem();
    String detail = problem == null ? "the journey failed" : problem.message();
    return new Problem(503, "Service Unavailable", detail, AnswerJson.problem(question, answer));
  }

  /** Beyond the limit a request costs next to nothing: the declared message, and when to return. */
  private Problem tooMany(ServerResponse response) {
    PlanStore.Status status = pod.plans.status();
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    more.put("content", status.plan() == null ? "" : status.plan().staticMessage());
    more.put("degraded", true);
    more.put("overBudget", true);
    response.header(HeaderNames.RETRY_AFTER, "1");
    return new Problem(
        429,
        "Too Many Requests",
        "%d journeys are on their way, the most this pod takes".formatted(pod.admission.limit()),
        more);
  }
}
