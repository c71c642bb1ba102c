package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Journeys in made time, with backends that take as long as they are told. */
final class Trial {
  static final long MS = 1_000_000;

  final VirtualMachinery machinery = new VirtualMachinery();
  final Recording told = new Recording();
  final List<String> heard = new ArrayList<>();
  private final JourneyRunner runner;

  Trial() {
    runner = new JourneyRunner(machinery, told);
  }

  Trial(JourneyListener listener) {
    runner = new JourneyRunner(machinery, listener);
  }

  Answer ask(Routes routes) throws Exception {
    return ask(routes.route(), null, false);
  }

  Answer askStreaming(Routes routes) throws Exception {
    return ask(routes.route(), null, true);
  }

  Answer ask(Route route, @Nullable Long callerRemainingNanos, boolean streaming) throws Exception {
    return ask(route, now -> Questions.asked(now, callerRemainingNanos, streaming));
  }

  /** Asks what is asked at this moment. */
  Answer ask(Route route, LongFunction<Question> question) throws Exception {
    return machinery.live(
        () ->
            runner.run(
                route, question.apply(machinery.time().nanos()), heard::add, Cancellation.NONE));
  }

  /** Within {@link VirtualMachinery#live}, or on a thread that its machinery started. */
  Answer answer(Route route) {
    Question question = Questions.asked(machinery.time().nanos(), null, false);
    try {
      return runner.run(route, question, content -> {}, Cancellation.NONE);
    } catch (CallCancelledException e) {
      throw new AssertionError("nobody left", e);
    }
  }

  /** Asks, and is gone before the answer. */
  void askAndLeaveAfter(Route route, long ms) throws Exception {
    Caller caller = new Caller();
    machinery.live(
        () -> {
          machinery.start(
              false,
              () -> {
                try {
                  machinery.takes(ms * MS);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                caller.left();
              });
          Question question = Questions.asked(machinery.time().nanos(), null, false);
          assertThatThrownBy(() -> runner.run(route, question, content -> {}, caller))
              .isInstanceOf(CallCancelledException.class);
          return null;
        });
    machinery.awaitEnded();
  }

  /** So many journeys that arrive at the same moment, each to its end. */
  List<Answer> askTogether(Route route, int journeys) throws Exception {
    List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
    machinery.live(
        () -> {
          for (int i = 0; i < journeys; i++) {
            machinery.start(false, () -> answers.add(answer(route)));
          }
          return null;
        });
    machinery.awaitEnded();
    assertThat(answers).hasSize(journeys);
    return answers;
  }

  JourneyRunner runner() {
    return runner;
  }

  Rewriter rewrites(long ms) {
    return (call, question, earlier, instructions) -> {
      machinery.takes(ms * MS);
      return "rewritten";
    };
  }

  Embedder embeds(long ms) {
    return (call, text) -> {
      machinery.takes(ms * MS);
      return new float[] {1, 0};
    };
  }

  PassageSearch finds(long ms, String... ids) {
    return (call, query) -> {
      machinery.takes(ms * MS);
      return PassagesFound.whole(passages(ids));
    };
  }

  Reranker reverses(long ms) {
    return (call, question, passages) -> {
      machinery.takes(ms * MS);
      return PassagesFound.whole(passages.reversed());
    };
  }

  /** The first piece comes after {@code ms}, every other one {@code everyMs} later. */
  Generator writes(long ms, long everyMs, String... pieces) {
    return (call, prompt, sink) -> {
      long wait = ms;
      for (String piece : pieces) {
        machinery.takes(wait * MS);
        sink.accept(piece);
        wait = everyMs;
      }
      return new Completion("stop", null, null);
    };
  }

  Generator writes(long ms, String text) {
    return writes(ms, 0, text);
  }

  /** The same search, but one that must not be made twice. */
  static PassageSearch notRepeatable(PassageSearch search) {
    return new PassageSearch() {
      @Override
      public PassagesFound search(StageCall call, SearchQuery query) throws Exception {
        return search.search(call, query);
      }

      @Override
      public boolean repeatable() {
        return false;
      }
    };
  }

  <T> T fails(long ms, BackendException.Kind kind) throws Exception {
    machinery.takes(ms * MS);
    throw new BackendException(kind, "the backend said " + kind.label());
  }

  static List<Passage> passages(String... ids) {
    List<Passage> passages = new ArrayList<>();
    for (String id : ids) {
      passages.add(
          new Passage(id, "title of " + id, "text of " + id, 1.0 - passages.size() / 10.0));
    }
    return passages;
  }

  /** Three seconds for rewrite, search, rerank and generate. */
  static BudgetDraft threeSeconds() {
    return BudgetDraft.of("3s")
        .stages(
            rewrite().cap("400ms"),
            search().cap("1s"),
            rerank().cap("300ms"),
            generate().floor("1s"));
  }

  /** Well-behaved backends for the stages of a draft like {@link #threeSeconds}. */
  Routes routes(BudgetDraft draft) {
    return Routes.of(draft)
        .port("rewrite", rewrites(100))
        .port("search", finds(200, "a", "b"))
        .port("rerank", reverses(50))
        .port("generate", writes(500, 100, "Because ", "it ", "is."));
  }
}
