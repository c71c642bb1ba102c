package dev.ragjourney.server;

import static org.awaitility.Awaitility.await;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.TokenSink;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Journeys that say nothing until they are let go on, or cancelled. */
final class WaitingJourneys implements Journeys {
  final BlockingQueue<Question> asked = new LinkedBlockingQueue<>();
  final AtomicInteger running = new AtomicInteger();
  final AtomicInteger cancelled = new AtomicInteger();
  private final Semaphore gate = new Semaphore(0);

  void letGo(int journeys) {
    gate.release(journeys);
  }

  void awaitRunning(int journeys) {
    await().atMost(Duration.ofSeconds(10)).until(() -> running.get() == journeys);
  }

  @Override
  public Answer run(Route route, Question question, TokenSink sink, Cancellation caller)
      throws CallCancelledException {
    Thread self = Thread.currentThread();
    caller.onCancel(self::interrupt);
    running.incrementAndGet();
    asked.add(question);
    try {
      gate.acquire();
    } catch (InterruptedException e) {
      // The server's own stop interrupts too, and that is no cancelling.
      cancelled.addAndGet(caller.cancelled() ? 1 : 0);
      throw new CallCancelledException();
    } finally {
      running.decrementAndGet();
    }
    return StaticAnswers.of(route, question);
  }
}
