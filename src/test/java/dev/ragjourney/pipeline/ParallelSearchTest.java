package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches beside other stages, in made time: what they look for, and how they are merged. */
@Timeout(120)
class ParallelSearchTest {
  private final Trial trial = new Trial();

  private static StageDraft searching(String name) {
    return stage(name, StageType.SEARCH).group("g").cap("1s");
  }

  private Routes routes(BudgetDraft draft) {
    return Routes.of(draft).port("generate", trial.writes(100, "Well."));
  }

  private static BudgetDraft threeSeconds(StageDraft... beside) {
    List<StageDraft> all = new ArrayList<>(List.of(beside));
    all.add(generate().floor("1s"));
    return BudgetDraft.of("3s").stages(all.toArray(StageDraft[]::new));
  }

  @ParameterizedTest(name = "documents after {0} ms, tickets after {1} ms")
  @CsvSource({"100, 500", "500, 100"})
  void two_searches_are_merged_by_rank_whichever_was_first(long documents, long tickets)
      throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(searching("documents"), searching("tickets")))
                .port("documents", trial.finds(documents, "a", "b", "c"))
                .port("tickets", trial.finds(tickets, "c", "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("c", "a", "b", "d");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void of_two_merged_searches_the_larger_number_of_passages_is_kept() throws Exception {
    StageForm two = Routes.topK(Routes.form("documents", trial.finds(1, "a", "b", "c")), 2);
    StageForm three = Routes.topK(Routes.form("tickets", trial.finds(1, "d", "e", "f")), 3);

    Answer answer =
        trial.ask(
            routes(threeSeconds(searching("documents"), searching("tickets")))
                .form("documents", two)
                .form("tickets", three));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a", "d", "b");
  }

  @Test
  void a_search_that_fails_leaves_what_the_other_found() throws Exception {
    PassageSearch failing = (call, query) -> trial.fails(50, BackendException.Kind.UNAVAILABLE);

    Answer answer =
        trial.ask(
            routes(threeSeconds(searching("documents"), searching("tickets")))
                .port("documents", failing)
                .port("tickets", trial.finds(200, "c", "d")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("c", "d");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("documents", "error"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void a_search_beside_a_rewrite_takes_the_question_as_it_was_put() throws Exception {
    List<String> searched = Collections.synchronizedList(new ArrayList<>());
    Reranker reranker =
        (call, question, passages) -> {
          searched.add("ranked by " + question);
          return PassagesFound.whole(passages);
        };

    trial.ask(
        routes(
                threeSeconds(
                    rewrite().group("g").cap("400ms"), searching("search"), rerank().cap("300ms")))
            .port("rewrite", trial.rewrites(10))
            .port(
                "search",
                (PassageSearch)
                    (call, query) -> {
                      trial.machinery.takes(300 * MS);
                      searched.add("searched for " + query.text());
                      return PassagesFound.whole(Trial.passages("a"));
                    })
            .port("rerank", reranker));

    assertThat(searched).containsExactly("searched for why?", "ranked by rewritten");
  }

  @Test
  void a_keyword_search_beside_an_embedding_does_not_wait_for_the_vector() throws Exception {
    List<String> searched = Collections.synchronizedList(new ArrayList<>());
    PassageSearch search =
        (call, query) -> {
          trial.machinery.takes(100 * MS);
          searched.add(call.stage() + (query.keywordOnly() ? " by keyword" : " by vector"));
          return PassagesFound.whole(Trial.passages(call.stage()));
        };

    Answer answer =
        trial.ask(
            routes(
                    threeSeconds(
                        stage("embed", StageType.EMBED).group("g").cap("200ms"),
                        searching("words"),
                        search().cap("1s")))
                .port("embed", trial.embeds(150))
                .port("words", search)
                .port("search", search));

    assertThat(searched).containsExactly("words by keyword", "search by vector");
    assertThat(answer.firstTokenNanos()).isEqualTo((150 + 100 + 100) * MS);
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("words", "search");
  }
}
