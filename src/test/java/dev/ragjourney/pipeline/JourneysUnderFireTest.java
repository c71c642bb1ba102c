package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.Questions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many journeys at once whose backends misbehave at random. */
@Timeout(60)
class JourneysUnderFireTest {
  private final RealMachinery machinery = new RealMachinery();
  private final Recording told = new Recording();
  private final JourneyRunner runner = new JourneyRunner(machinery, told);

  @AfterEach
  void stop() {
    machinery.close();
  }

  @Test
  void journeys_with_backends_that_misbehave_at_random_are_all_answered_and_leave_nothing()
      throws Exception {
    AtomicInteger running = new AtomicInteger();
    Semaphore atOnce = new Semaphore(100);
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    Route route =
        PromptRoutes.routes("2s")
            .port("rewrite", (Rewriter) (c, q, e, i) -> wild(running, "rewritten"))
            .port(
                "search", (PassageSearch) (c, q) -> wild(running, PromptRoutes.FOUND.search(c, q)))
            .port("rerank", (Reranker) (c, q, p) -> wild(running, PassagesFound.whole(p)))
            .port(
                "generate",
                (Generator)
                    (c, p, sink) -> {
                      sink.accept(wild(running, "Hello."));
                      return new Completion("stop", null, null);
                    })
            .route();
    int journeys = 500;
    for (int i = 0; i < journeys; i++) {
      atOnce.acquire();
      Thread.startVirtualThread(
          () -> {
            answers.add(askQuietly(route));
            atOnce.release();
          });
    }

    await().atMost(Duration.ofSeconds(40)).until(() -> answers.size() == journeys);
    await().untilAtomic(running, org.hamcrest.Matchers.is(0));
    assertThat(machinery.wheel().armed()).isZero();
    assertThat(told.ends).hasSameSizeAs(told.starts);
    assertThat(told.answers).hasSize(journeys);
    assertThat(answers).extracting(Answer::outcome).contains(Answer.Outcome.FULL);
  }

  /** Right, late, hanging or failing. */
  private static <T> T wild(AtomicInteger running, T right) throws Exception {
    running.incrementAndGet();
    try {
      return switch (ThreadLocalRandom.current().nextInt(8)) {
        case 0 -> {
          new CountDownLatch(1).await();
          yield right;
        }
        case 1 -> throw new BackendException(BackendException.Kind.UNAVAILABLE, "reset");
        case 2 -> throw new IllegalStateException("bug");
        default -> right;
      };
    } finally {
      running.decrementAndGet();
    }
  }

  private Answer askQuietly(Route route) {
    try {
      return runner.run(route, question(false), content -> {}, Cancellation.NONE);
    } catch (CallCancelledException e) {
      throw new AssertionError("nobody left", e);
    }
  }

  private Question question(boolean streaming) {
    return Questions.asked(machinery.time().nanos(), null, streaming);
  }
}
