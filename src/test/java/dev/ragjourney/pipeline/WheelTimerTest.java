package dev.ragjourney.pipeline;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wheel turns on its own thread; the clock is moved by hand. */
@Timeout(120)
class WheelTimerTest {
  private static final long MS = 1_000_000;

  private final AtomicLong clock = new AtomicLong(-12_345_678_901L);
  private final WheelTimer timer = new WheelTimer(clock::get);
  private final List<String> fired = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() {
    timer.close();
  }

  @Test
  void a_deadline_fires_when_its_moment_has_come_and_not_before() {
    arm("late", 50 * MS);
    arm("soon", 10 * MS);

    pass(10 * MS - 1);
    turned();
    assertThat(fired).isEmpty();
    pass(1);
    await().until(() -> fired.equals(List.of("soon")));
    pass(40 * MS);
    await().until(() -> fired.equals(List.of("soon", "late")));
  }

  @Test
  void a_disarmed_deadline_never_fires_and_is_forgotten() {
    DeadlineTimer.Armed armed = arm("never", 10 * MS);
    armed.disarm();
    armed.disarm();
    arm("after", 11 * MS);

    pass(20 * MS);
    await().until(() -> fired.equals(List.of("after")));
    assertThat(timer.armed()).isZero();
  }

  @Test
  void a_deadline_of_the_past_fires_at_the_next_tick() {
    arm("past", -5_000 * MS);

    await().until(() -> fired.equals(List.of("past")));
  }

  @Test
  void a_deadline_many_turns_away_waits_for_its_turn() {
    arm("far", 60_000 * MS);
    for (int i = 0; i < 59; i++) {
      pass(1_000 * MS);
      turned();
    }
    assertThat(fired).isEmpty();
    pass(1_000 * MS);

    await().until(() -> fired.equals(List.of("far")));
  }

  @Test
  void a_clock_that_leaps_loses_no_deadline() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      arm("x", random.nextLong(20_000 * MS));
    }
    pass(20_001 * MS);

    await().until(() -> fired.size() == 2_000);
    assertThat(timer.armed()).isZero();
  }

  @Test
  void a_task_that_throws_does_not_stop_the_timer() {
    AtomicInteger told = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> told.incrementAndGet());
    try {
      timer.arm(
          clock.get(),
          () -> {
            throw new IllegalStateException("bug");
          });
      // Waiting must leave the handler above in its place.
      await().dontCatchUncaughtExceptions().until(() -> told.get() == 1);
      arm("next", 0);
      await().dontCatchUncaughtExceptions().until(() -> fired.equals(List.of("next")));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void after_a_silence_of_any_length_it_wakes_for_the_next_deadline() {
    await().atMost(20, SECONDS).until(timer::asleep);

    arm("again", 5 * MS);
    await().until(() -> !timer.asleep());
    pass(5 * MS);
    await().until(() -> fired.equals(List.of("again")));
  }

  @Test
  void arming_and_disarming_from_many_threads_leaves_nothing_behind() throws Exception {
    AtomicInteger hits = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < 5_000; i++) {
                  DeadlineTimer.Armed armed =
                      timer.arm(clock.get() + random.nextLong(20 * MS), hits::incrementAndGet);
                  if (random.nextInt(100) == 0) {
                    clock.addAndGet(MS);
                  }
                  if (i % 2 == 0) {
                    armed.disarm();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    pass(1_000 * MS);

    await().until(() -> timer.armed() == 0);
    assertThat(hits.get()).isBetween(20_000, 40_000);
  }

  private static ConditionFactory await() {
    return Awaitility.await().pollDelay(0, MILLISECONDS).pollInterval(1, MILLISECONDS);
  }

  private DeadlineTimer.Armed arm(String name, long inNanos) {
    return timer.arm(clock.get() + inNanos, () -> fired.add(name));
  }

  private void pass(long nanos) {
    clock.addAndGet(nanos);
  }

  /** Waits until the wheel has looked at the present moment, by a deadline that is due. */
  private void turned() {
    AtomicInteger seen = new AtomicInteger();
    timer.arm(clock.get(), seen::incrementAndGet);
    await().until(() -> seen.get() == 1);
  }
}
