package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.support.Questions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same journeys on the machine's own threads: what is cut off really ends. */
@Timeout(60)
class JourneyOnRealThreadsTest {
  private final RealMachinery machinery = new RealMachinery();
  private final Recording told = new Recording();
  private final JourneyRunner runner = new JourneyRunner(machinery, told);
  private final AtomicBoolean released = new AtomicBoolean();

  @AfterEach
  void stop() {
    released.set(true);
    machinery.close();
  }

  @Test
  void a_stage_that_hangs_is_interrupted_and_its_connection_closed() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean closed = new AtomicBoolean();
    Rewriter hanging =
        (call, question, earlier, instructions) -> {
          call.cancellation().onCancel(() -> closed.set(true));
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.set(true);
            throw e;
          }
          return "";
        };

    Answer answer = ask(PromptRoutes.routes().port("rewrite", hanging));

    assertThat(answer.content()).isEqualTo("Hello world.");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rewrite", "timeout"));
    await().untilTrue(interrupted);
    await().untilTrue(closed);
    assertThat(machinery.wheel().armed()).isZero();
  }

  @Test
  void a_connection_opened_after_the_cut_is_closed_at_once() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    Rewriter late =
        (call, question, earlier, instructions) -> {
          call.cancellation().onCancel(cut::countDown);
          spinUntil(() -> cut.getCount() == 0);
          call.cancellation().onCancel(() -> closed.set(true));
          return "";
        };

    ask(PromptRoutes.routes().port("rewrite", late));

    await().untilTrue(closed);
  }

  @Test
  void a_closer_that_throws_hinders_neither_the_journey_nor_the_other_closers() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    Rewriter hanging =
        (call, question, earlier, instructions) -> {
          call.cancellation()
              .onCancel(
                  () -> {
                    throw new IllegalStateException("already closed");
                  });
          call.cancellation().onCancel(() -> closed.set(true));
          new CountDownLatch(1).await();
          return "";
        };

    assertThat(ask(PromptRoutes.routes().port("rewrite", hanging)).content())
        .isEqualTo("Hello world.");
    await().untilTrue(closed);
  }

  @Test
  void computing_stages_that_hear_nothing_hold_up_no_journey() throws Exception {
    int journeys = 4 * Runtime.getRuntime().availableProcessors();
    AtomicInteger burning = new AtomicInteger();
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    Routes routes = PromptRoutes.routes().port("rerank", new Burner(burning));
    Route route = routes.route();

    for (int i = 0; i < journeys; i++) {
      Thread.startVirtualThread(() -> answers.add(askQuietly(route)));
    }

    await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() == journeys);
    // More than there are carriers: on virtual threads they would have held up the others.
    assertThat(burning.get())
        .as("still computing")
        .isGreaterThan(Runtime.getRuntime().availableProcessors());
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer.skipped())
                    .containsExactly(new Answer.Skipped("rerank", "timeout")));
    released.set(true);
    await().untilAtomic(burning, org.hamcrest.Matchers.is(0));
  }

  @Test
  void a_caller_who_leaves_ends_everything_that_runs_for_it() throws Exception {
    Caller caller = new Caller();
    CountDownLatch searching = new CountDownLatch(1);
    AtomicBoolean closed = new AtomicBoolean();
    PassageSearch hanging =
        (call, query) -> {
          call.cancellation().onCancel(() -> closed.set(true));
          searching.countDown();
          new CountDownLatch(1).await();
          return PassagesFound.whole(List.of());
        };
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Route route = PromptRoutes.routes().port("search", hanging).route();
    Thread.startVirtualThread(
        () -> {
          try {
            runner.run(route, question(false), content -> {}, caller);
          } catch (CallCancelledException e) {
            ended.set(e);
          }
        });

    searching.await();
    caller.left();

    await().until(() -> ended.get() != null);
    await().untilTrue(closed);
    assertThat(told.end("search").outcome()).isEqualTo(StageOutcome.CANCELLED);
    assertThat(told.end("search").cut()).isEqualTo(Cut.CALLER);
    assertThat(told.abandoned).hasSize(1);
    assertThat(told.answers).isEmpty();
    assertThat(machinery.wheel().armed()).isZero();
  }

  @Test
  void a_caller_who_is_gone_before_the_start_starts_nothing() {
    Caller caller = new Caller();
    caller.left();

    assertThatThrownBy(
            () -> runner.run(PromptRoutes.routes().route(), question(false), c -> {}, caller))
        .isInstanceOf(CallCancelledException.class);
    assertThat(told.starts).isEmpty();
  }

  @Test
  void a_sink_that_fails_in_mid_stream_closes_the_model() {
    AtomicBoolean closed = new AtomicBoolean();
    Generator endless =
        (call, prompt, sink) -> {
          call.cancellation().onCancel(() -> closed.set(true));
          while (true) {
            sink.accept("and on ");
          }
        };
    AtomicInteger heard = new AtomicInteger();
    TokenSink leaving =
        content -> {
          if (heard.incrementAndGet() == 3) {
            throw new IllegalStateException("broken pipe");
          }
        };

    assertThatThrownBy(
            () ->
                runner.run(
                    PromptRoutes.routes().port("generate", endless).route(),
                    question(true),
                    leaving,
                    Cancellation.NONE))
        .isInstanceOf(CallCancelledException.class);
    await().untilTrue(closed);
    assertThat(told.abandoned).hasSize(1);
    assertThat(told.ends).hasSameSizeAs(told.starts);
    assertThat(told.callsOf("generate"))
        .singleElement()
        .satisfies(c -> assertThat(c.outcome()).isEqualTo(StageOutcome.CANCELLED));
  }

  @Test
  void a_caller_who_leaves_before_the_first_token_leaves_one_cancelled_generation() {
    Caller caller = new Caller();
    Generator leaving =
        (call, prompt, sink) -> {
          caller.left();
          new CountDownLatch(1).await();
          return new Completion("stop", null, null);
        };

    assertThatThrownBy(
            () ->
                runner.run(
                    PromptRoutes.routes().port("generate", leaving).route(),
                    question(true),
                    c -> {},
                    caller))
        .isInstanceOf(CallCancelledException.class);
    assertThat(told.end("generate").outcome()).isEqualTo(StageOutcome.CANCELLED);
    assertThat(told.ends).hasSameSizeAs(told.starts);
  }

  @Test
  void an_interrupted_journey_ends_and_stays_interrupted() {
    Route route =
        PromptRoutes.routes()
            .port("search", (PassageSearch) (call, query) -> PassagesFound.whole(hang()))
            .route();
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread journey =
        Thread.startVirtualThread(
            () -> {
              try {
                runner.run(route, question(false), content -> {}, Cancellation.NONE);
              } catch (CallCancelledException e) {
                interrupted.set(Thread.currentThread().isInterrupted());
              }
            });

    await().until(() -> told.starts.stream().anyMatch(s -> s.stage().equals("search")));
    journey.interrupt();

    await().until(() -> Boolean.TRUE.equals(interrupted.get()));
  }

  @Test
  void a_cuts_interrupt_never_reaches_the_next_work_of_a_pooled_thread() throws Exception {
    AtomicInteger strays = new AtomicInteger();
    Route route =
        Routes.of(
                BudgetDraft.of("3s").stages(search().cap("500ms"), rerank().cap("5ms"), generate()))
            .port("search", PromptRoutes.FOUND)
            .port("rerank", new EdgeOfTheCap(strays))
            .port("generate", PromptRoutes.HELLO)
            .route();

    for (int i = 0; i < 200; i++) {
      runner.run(route, question(false), content -> {}, Cancellation.NONE);
    }

    assertThat(strays).hasValue(0);
  }

  /** Computes until the test releases it, whatever it is told. */
  private final class Burner implements RerankerOnItsOwn {
    private final AtomicInteger burning;

    Burner(AtomicInteger burning) {
      this.burning = burning;
    }

    @Override
    public PassagesFound rerank(StageCall call, String question, List<Passage> passages) {
      burning.incrementAndGet();
      spinUntil(released::get);
      burning.decrementAndGet();
      return PassagesFound.whole(passages);
    }
  }

  /** Ends as near to its cut as can be, and looks for an interrupt that is not its own. */
  private record EdgeOfTheCap(AtomicInteger strays) implements RerankerOnItsOwn {
    @Override
    public PassagesFound rerank(StageCall call, String question, List<Passage> passages) {
      if (Thread.currentThread().isInterrupted() && !call.cancellation().cancelled()) {
        strays.incrementAndGet();
      }
      spinUntil(() -> call.remainingNanos() <= 0);
      return PassagesFound.whole(new ArrayList<>(passages));
    }
  }

  private interface RerankerOnItsOwn extends Reranker {
    @Override
    default boolean holdsCarrier() {
      return true;
    }
  }

  private static void spinUntil(java.util.function.BooleanSupplier over) {
    while (!over.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static List<Passage> hang() throws InterruptedException {
    new CountDownLatch(1).await();
    return List.of();
  }

  private Answer ask(Routes routes) throws CallCancelledException {
    return runner.run(routes.route(), question(false), content -> {}, Cancellation.NONE);
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
