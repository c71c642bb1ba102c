package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nonsense from a backend is an error with its own reason, never a fast success. */
class StageWorkTest {
  private static final Gathered SO =
      Gathered.of(Questions.asked(0)).found(List.of(Trial.passages("a", "b", "c")), 0);
  private static final StageCall CALL =
      new StageCall(
          "stage",
          0,
          StageCall.Role.PRIMARY,
          MonotonicTime.system(),
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Cancellation.NONE,
          null);

  static Stream<Arguments> nonsense() {
    return Stream.of(
        arguments("a blank rewrite", (Rewriter) (c, q, e, i) -> " \n", "gave a blank question"),
        arguments("an empty vector", (Embedder) (c, t) -> new float[0], "gave an empty vector"),
        arguments(
            "a vector with NaN",
            (Embedder) (c, t) -> new float[] {1, Float.NaN},
            "gave a vector that is not finite"),
        arguments(
            "an infinite vector",
            (Embedder) (c, t) -> new float[] {Float.POSITIVE_INFINITY},
            "gave a vector that is not finite"),
        arguments(
            "a search score that is no number",
            (PassageSearch) (c, q) -> scored(Double.NaN),
            "gave a score that is not a number"),
        arguments(
            "a rerank score that is no number",
            (Reranker) (c, q, p) -> scored(Double.NaN),
            "gave a score that is not a number"),
        arguments(
            "a rerank that loses everything",
            (Reranker) (c, q, p) -> PassagesFound.whole(List.of()),
            "lost every passage"),
        arguments(
            "a rerank that invents a passage",
            (Reranker) (c, q, p) -> PassagesFound.whole(Trial.passages("x")),
            "gave a passage that it was not given, or twice"),
        arguments(
            "a rerank that doubles a passage",
            (Reranker) (c, q, p) -> PassagesFound.whole(Trial.passages("a", "a")),
            "gave a passage that it was not given, or twice"),
        arguments("a blank tool answer", (Tool) (c, i) -> "", "gave a blank answer"));
  }

  @ParameterizedTest(name = "{0} is an invalid answer")
  @MethodSource("nonsense")
  void is_refused(String what, StagePort port, String complaint) {
    BackendException refused =
        catchThrowableOfType(
            BackendException.class, () -> StageWork.of(Routes.form("it", port), SO).run(CALL));

    assertThat(refused.kind()).isEqualTo(BackendException.Kind.INVALID_ANSWER);
    assertThat(refused).hasMessage("it " + complaint);
  }

  @Test
  void no_more_passages_are_kept_than_the_form_wants() throws Exception {
    Gathered searched =
        StageWork.of(
                Routes.topK(form((PassageSearch) (c, q) -> PassagesFound.whole(SO.passages())), 2),
                Gathered.of(Questions.asked(0)))
            .run(CALL)
            .addTo()
            .apply(Gathered.of(Questions.asked(0)));
    Gathered reranked =
        run(Routes.topK(form((Reranker) (c, q, p) -> PassagesFound.whole(p.reversed())), 1));

    assertThat(searched.passages()).extracting(Passage::id).containsExactly("a", "b");
    assertThat(reranked.passages()).extracting(Passage::id).containsExactly("c");
  }

  @Test
  void a_search_is_told_how_many_candidates_the_form_wants_looked_at() throws Exception {
    List<Integer> told = new ArrayList<>();
    PassageSearch search =
        (c, query) -> {
          told.add(query.ef());
          return PassagesFound.whole(List.of());
        };

    run(Routes.ef(form(search), 40));
    run(form(search));

    assertThat(told).containsExactly(40, null);
  }

  @Test
  void a_rerank_of_nothing_is_not_asked_for() throws Exception {
    Reranker unwanted =
        (c, q, p) -> {
          throw new AssertionError("called");
        };

    assertThat(StageWork.of(form(unwanted), Gathered.of(Questions.asked(0))).run(CALL)).isNotNull();
  }

  @Test
  void a_partial_ranking_is_taken_and_told() throws Exception {
    Reranker partial = (c, q, p) -> new PassagesFound(p, "ranker_partial");

    Gain gain = StageWork.of(form(partial), SO).run(CALL);

    assertThat(gain.degradedReason()).isEqualTo("ranker_partial");
  }

  @Test
  void what_a_tool_says_joins_the_context_before_the_passages() throws Exception {
    Gathered told = run(form((Tool) (c, input) -> "it rains"));
    Itinerary itinerary =
        Itinerary.of(
            Routes.of(
                    dev.ragjourney.budget.BudgetDraft.of("1s")
                        .stages(dev.ragjourney.budget.StageDraft.generate()))
                .port("generate", (Generator) (c, p, s) -> new Completion("stop", null, null))
                .route(),
            () -> 0,
            null);

    Prompt prompt =
        new Prompts(itinerary, Questions.asked(0), told, false)
            .of(form((Tool) (c, input) -> ""), 0);

    assertThat(prompt.passages()).extracting(Passage::text).startsWith("it rains", "text of a");
  }

  private static Gathered run(StageForm form) throws Exception {
    return StageWork.of(form, SO).run(CALL).addTo().apply(SO);
  }

  private static StageForm form(StagePort port) {
    return Routes.form("it", port);
  }

  private static PassagesFound scored(double score) {
    return PassagesFound.whole(List.of(new Passage("a", "t", "x", score)));
  }
}
