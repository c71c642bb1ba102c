package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepeatingTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  @Test
  void once_that_fails_does_not_end_it() throws Exception {
    BlockingQueue<String> threads = new LinkedBlockingQueue<>();
    try (Repeating repeating = new Repeating("the-work")) {
      repeating.start(
          SHORT,
          () -> {
            threads.add(Thread.currentThread().getName());
            throw new IllegalStateException("on purpose");
          });

      assertThat(threads.take()).isEqualTo("the-work");
      assertThat(threads.take()).isEqualTo("the-work");
    }
  }

  @Test
  void closed_it_interrupts_the_work_and_its_thread_ends() throws Exception {
    CompletableFuture<Thread> working = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Repeating repeating = new Repeating("the-work");
    repeating.start(
        SHORT,
        () -> {
          working.complete(Thread.currentThread());
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.complete(true);
          }
        });
    Thread thread = working.get();

    repeating.close();

    assertThat(interrupted.get()).isTrue();
    thread.join();
  }

  @Test
  void it_rests_for_longer_after_longer_work() throws Exception {
    long took = TimeUnit.MILLISECONDS.toNanos(20);
    BlockingQueue<Long> begins = new LinkedBlockingQueue<>();
    try (Repeating repeating = new Repeating("the-work")) {
      repeating.start(
          SHORT,
          9,
          () -> {
            long began = System.nanoTime();
            begins.add(began);
            while (System.nanoTime() - began < took) {
              Thread.onSpinWait();
            }
          });

      long first = begins.take();
      assertThat(begins.take() - first).isGreaterThanOrEqualTo(10 * took);
    }
  }
}
