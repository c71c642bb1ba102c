package dev.ragjourney.pipeline;

import dev.ragjourney.budget.Deadline;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs journeys: the way into this package. One runner serves a whole pod, from many threads. */
public final class JourneyRunner {
  private final Machinery machinery;
  private final JourneyListener listener;
  private final Learning learning;
  private volatile @Nullable Itinerary itinerary;

  public JourneyRunner(Machinery machinery, JourneyListener listener) {
    this.machinery = machinery;
    this.listener = listener;
    this.learning = new Learning(machinery.time());
  }

  /**
   * What is done only to learn is done only while this is true; before it is set, always.
   *
   * @param spare the pod is neither overloaded nor going away; asked on any thread
   */
  public void learnWhile(BooleanSupplier spare) {
    learning.whileSpare(spare);
  }

  /** Ends the calls that go on in the background; for a pod that is going away. */
  public void endLearning() {
    learning.end();
  }

  /** The clock that {@link Question#arrivalNanos()} must be on. */
  public MonotonicTime time() {
    return machinery.time();
  }

  /** What the backends have from this pod just now; empty before the first question. */
  public PodLoad load() {
    Itinerary current = itinerary;
    return current == null ? PodLoad.NONE : current.load();
  }

  /**
   * Makes a route ready before its first question.
   *
   * @throws IllegalArgumentException if the route's parts do not belong together
   */
  public void prepare(Route route) {
    prepared(route);
  }

  /**
   * Answers a question within its budget.
   *
   * <p>Runs on the calling thread and blocks it until the answer is complete. The sink is called on
   * this thread alone, only for a streaming question, only with a model's text, and never before
   * that model has won. A static answer is not handed to the sink, only returned.
   *
   * @param caller over when the caller has left, which ends everything
   * @throws CallCancelledException if the caller has left, the sink refused more, or this thread
   *     was interrupted (it still is then)
   */
  public Answer run(Route route, Question question, TokenSink sink, Cancellation caller)
      throws CallCancelledException {
    Deadline deadline =
        Deadline.of(
            question.arrivalNanos(),
            route.budget().total().toNanos(),
            question.callerRemainingNanos());
    Bell bell = new Bell(machinery);
    caller.onCancel(bell);
    Itinerary prepared = prepared(route);
    Drill drill = Drills.of(prepared, question, machinery::chance);
    Trip trip =
        new Trip(
            prepared,
            question,
            deadline,
            machinery,
            bell,
            drill,
            new Overruns(),
            learning,
            caller,
            listener);
    Journey journey = new Journey(trip, new Speaker(sink, question.streaming()));
    Answer answer;
    try {
      answer = journey.run();
    } catch (RuntimeException bug) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, bug);
      answer = journey.broken();
    } catch (CallCancelledException callerLeft) {
      listener.journeyAbandoned(route, question);
      throw callerLeft;
    }
    listener.journeyEnded(route, question, answer);
    return answer;
  }

  /** What is counted across journeys lives on when the plan changes. */
  // A route is swapped whole: the same object is the same route, and comparing its content at every
  // request would cost more than the journey's arithmetic.
  @SuppressWarnings("ReferenceEquality")
  private Itinerary prepared(Route route) {
    Itinerary current = itinerary;
    return current != null && current.route() == route ? current : renewed(route);
  }

  /** One at a time: what is counted must not be counted twice. */
  @SuppressWarnings("ReferenceEquality")
  private synchronized Itinerary renewed(Route route) {
    Itinerary current = itinerary;
    if (current == null || current.route() != route) {
      current = Itinerary.of(route, machinery.time(), current);
      itinerary = current;
    }
    return current;
  }
}
