package dev.ragjourney.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The most calls that one backend gets from this pod at once, whatever they are for: attempts,
 * retries, hedges and fallbacks share it. Who finds it reached waits in line, first come, first
 * served, without a thread; its place is worth nothing any more when its time is up.
 */
final class BackendLimit {
  private final Deque<Permit> line = new ArrayDeque<>();
  private int limit;
  private int inFlight;

  BackendLimit(int limit) {
    this.limit = limit;
  }

  /** A new plan may move the limit; calls beyond a lower one run to their end. */
  void moveTo(int newLimit) {
    List<Permit> served;
    synchronized (this) {
      limit = newLimit;
      served = serve();
    }
    served.forEach(Permit::ring);
  }

  /** Calls that the backend has from us, those that were cut and have not ended yet included. */
  synchronized int inFlight() {
    return inFlight;
  }

  /** At most half of the calls that it may have are there. */
  synchronized boolean halfFree() {
    return inFlight <= limit / 2;
  }

  /** A permit that is not taken yet. */
  Permit permit(Bell bell) {
    return new Permit(bell);
  }

  /** With the monitor held: the next in line, as many as there is room for. */
  private List<Permit> serve() {
    List<Permit> served = List.of();
    while (inFlight < limit && !line.isEmpty()) {
      Permit next = line.removeFirst();
      next.state = Permit.State.HELD;
      inFlight++;
      if (served.isEmpty()) {
        served = new ArrayList<>(1);
      }
      served.add(next);
    }
    return served;
  }

  /** One call's right to be with the backend. */
  final class Permit implements Runnable {
    private enum State {
      NEW,
      IN_LINE,
      HELD,
      OVER
    }

    private final Bell bell;
    private State state = State.NEW;

    private Permit(Bell bell) {
      this.bell = bell;
    }

    /**
     * @param waits get in line if the limit is reached; the bell rings when it is this one's turn
     * @return whether the permit is held
     */
    boolean take(boolean waits) {
      synchronized (BackendLimit.this) {
        if (state == State.NEW) {
          // Room means that nobody is in line: who leaves serves the next one first.
          if (inFlight < limit) {
            inFlight++;
            state = State.HELD;
          } else if (waits) {
            line.addLast(this);
            state = State.IN_LINE;
          }
        }
        return state == State.HELD;
      }
    }

    /** Gives the permit or the place in line back; any further time without effect. */
    void giveBack() {
      List<Permit> served = List.of();
      synchronized (BackendLimit.this) {
        if (state == State.HELD) {
          inFlight--;
          served = serve();
        } else if (state == State.IN_LINE) {
          line.remove(this);
        }
        state = State.OVER;
      }
      served.forEach(Permit::ring);
    }

    /** The call's work has ended. */
    @Override
    public void run() {
      giveBack();
    }

    private void ring() {
      bell.ring();
    }
  }
}
