package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Question;
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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /v1/ask}: one journey. */
final class AskHandler implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(AskHandler.class);
  private static final HeaderName LEVEL = HeaderNames.create("x-rag-level");
  private static final HeaderName DEGRADED = HeaderNames.create("x-rag-degraded");

  private final PlanStore plans;
  private final Journeys journeys;
  private final Admission admission;
  private final PrometheusListener metrics;
  private final Tracing tracing;
  private final MonotonicTime time;

  AskHandler(
      PlanStore plans,
      Journeys journeys,
      Admission admission,
      PrometheusListener metrics,
      Tracing tracing,
      MonotonicTime time) {
    this.plans = plans;
    this.journeys = journeys;
    this.admission = admission;
    this.metrics = metrics;
    this.tracing = tracing;
    this.time = time;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    long arrival = time.nanos();
    if (admission.closing()) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    Body body = new Body(request, time);
    if (!admission.enter()) {
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
      admission.leave();
    }
  }

  private static void refuse(Problem problem, Body body, ServerResponse response) {
    boolean drained = body.drained();
    if (!drained) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    problem.send(response);
    if (!drained) {
      throw new CloseConnectionException("the rest of the body is not wanted");
    }
  }

  private void ask(ServerRequest request, byte[] body, ServerResponse response, long arrival)
      throws RefusedException, IOException {
    AskRequest ask =
        AskRequest.parse(request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null), body);
    LoadedPlan loaded = plans.enter();
    if (loaded == null) {
      throw new RefusedException(
          new Problem(503, "Service Unavailable", "no plan is in force yet; see /readyz"));
    }
    try {
      run(request, response, arrival, ask, loaded);
    } finally {
      loaded.leave();
    }
  }

  private void run(
      ServerRequest request,
      ServerResponse response,
      long arrival,
      AskRequest ask,
      LoadedPlan loaded)
      throws IOException {
    BudgetHeaders.Caller caller = BudgetHeaders.read(name -> header(request, name));
    caller.ignored().forEach(metrics::budgetHeaderIgnored);
    JourneyTrace trace = tracing.start(loaded.route(), header(request, "traceparent").orElse(null));
    Question question =
        new Question(
            ask.question(),
            List.of(),
            "",
            arrival,
            caller.remainingNanos(),
            ask.stream(),
            0,
            null,
            trace.traceparent(),
            trace.traceId());
    EventStream events = new EventStream(response);
    Answer answer;
    try {
      answer =
          journeys.run(
              loaded.route(), question, ask.stream() ? events : content -> {}, Cancellation.NONE);
    } catch (CallCancelledException e) {
      trace.abandon();
      throw new IOException("nobody reads the answer", e);
    }
    trace.end(answer);
    if (answer.outcome() == Answer.Outcome.ERROR && !events.started()) {
      failed(response, question, answer);
    } else if (ask.stream()) {
      events.end(AnswerJson.of(question, answer).toString());
    } else {
      facts(response, answer)
          .header(HeaderNames.CONTENT_TYPE, "application/json")
          .send(AnswerJson.of(question, answer).toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Optional<String> header(ServerRequest request, String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  private static ServerResponse facts(ServerResponse response, Answer answer) {
    return response
        .header(LEVEL, answer.levelName())
        .header(DEGRADED, Boolean.toString(answer.degraded()));
  }

  private static void failed(ServerResponse response, Question question, Answer answer) {
    Answer.Problem problem = answer.problem();
    String detail = problem == null ? "the journey failed" : problem.message();
    new Problem(503, "Service Unavailable", detail, AnswerJson.problem(question, answer))
        .send(facts(response, answer));
  }

  /** Beyond the limit a request costs next to nothing: the declared message, and when to return. */
  private Problem tooMany(ServerResponse response) {
    PlanStore.Status status = plans.status();
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    more.put("content", status.plan() == null ? "" : status.plan().staticMessage());
    more.put("degraded", true);
    more.put("overBudget", true);
    response.header(HeaderNames.RETRY_AFTER, "1");
    return new Problem(
        429,
        "Too Many Requests",
        "%d journeys are on their way, the most this pod takes".formatted(admission.limit()),
        more);
  }
}
