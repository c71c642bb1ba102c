package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.budget.Deadline;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Caller;
import dev.ragjourney.pipeline.Drill;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.telemetry.Admitted;
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
    LoadedPlan loaded = pod.plans.enter();
    if (loaded == null) {
      refuse(unavailable("no plan is in force yet; see /readyz"), body, response);
      return;
    }
    try {
      admitted(request, body, response, loaded, arrival);
    } catch (RefusedException e) {
      refuse(e.problem(), body, response);
    } catch (OverloadedException e) {
      pod.metrics.admission(Admitted.REFUSED, pod.time.nanos() - arrival);
      response.header(HeaderNames.RETRY_AFTER, Integer.toString(e.retryAfterSeconds()));
      refuse(tooMany(loaded), body, response);
    } catch (IOException e) {
      LOG.debug("The caller went away before the end of the answer");
    } finally {
      loaded.leave();
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

  private void admitted(
      ServerRequest request, Body body, ServerResponse response, LoadedPlan loaded, long arrival)
      throws RefusedException, OverloadedException, IOException {
    Route route = loaded.route();
    BudgetHeaders.Caller budget = BudgetHeaders.read(name -> header(request, name));
    budget.ignored().forEach(pod.metrics::budgetHeaderIgnored);
    Deadline deadline =
        Deadline.of(arrival, route.budget().total().toNanos(), budget.remainingNanos());
    try (Admission.Place place = pod.admission.arrive(loaded.ladder(), deadline)) {
      Asking asking =
          dialect.read(request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null), body.read());
      Voice voice = asking.voice(route, response, pod.clock.instant());
      String tenant = Tenant.of(header(request, Tenant.HEADER), asking.user());
      Drill drill = DrillHeader.read(header(request, DrillHeader.NAME), route);
      CallersLine line = CallersLine.CURRENT.get();
      line.watch(place.caller()::left);
      try {
        int startLevel = place.await();
        pod.metrics.admission(
            startLevel == 0 ? Admitted.FULL : Admitted.LOWERED, place.waitedNanos());
        JourneyTrace trace = pod.tracing.start(route, header(request, "traceparent").orElse(null));
        Question question =
            new Question(
                asking.question(),
                asking.earlier(),
                tenant,
                arrival,
                budget.remainingNanos(),
                asking.stream(),
                asking.maxTokens(),
                startLevel,
                drill,
                trace.traceparent(),
                trace.traceId());
        answer(route, question, voice, place.caller(), trace, response);
      } catch (CallCancelledException e) {
        gone(voice);
      } finally {
        line.unwatch();
      }
    }
  }

  private void answer(
      Route route,
      Question question,
      Voice voice,
      Caller caller,
      JourneyTrace trace,
      ServerResponse response)
      throws CallCancelledException, IOException {
    Answer answer;
    try {
      answer = pod.journeys.run(route, question, voice, caller);
    } catch (CallCancelledException e) {
      trace.abandon();
      throw e;
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

  /** Nobody waits for the answer, or the pod cannot wait for it any longer. */
  private void gone(Voice voice) throws RefusedException {
    if (pod.admission.closing() && !voice.started()) {
      throw new RefusedException(unavailable("the pod stopped before the answer was there"));
    }
    throw new CloseConnectionException("the answer is not wanted, or has been broken off");
  }

  private static Optional<String> header(ServerRequest request, String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  private static Problem unavailable(String detail) {
    return new Problem(503, "Service Unavailable", detail);
  }

  private static Problem failed(Question question, Answer answer) {
    Answer.Problem problem = answer.problem();
    String detail = problem == null ? "the journey failed" : problem.message();
    return new Problem(503, "Service Unavailable", detail, AnswerJson.problem(question, answer));
  }

  /** Refused, a question costs next to nothing: it gets the declared message. */
  private Problem tooMany(LoadedPlan loaded) {
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    more.put("content", loaded.plan().staticMessage());
    more.put("degraded", true);
    more.put("overBudget", true);
    Load load = pod.admission.load();
    return new Problem(
        429,
        "Too Many Requests",
        "%d journeys are on their way of %d that this pod takes, and %d questions wait"
            .formatted(load.inFlight(), load.limit(), load.queued()),
        more);
  }
}
