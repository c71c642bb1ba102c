package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.embed;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.EarlierAnswers.policy;
import static dev.ragjourney.pipeline.EarlierAnswers.withLevel;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.AnswerCache.Stock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which answers are kept for later questions. */
class KeptAnswersTest {
  private static final String QUESTION = "How do I pay?";

  private final EarlierAnswers earlier = new EarlierAnswers();
  private final Trial trial = earlier.trial;

  private void keeps(Routes routes) throws Exception {
    earlier.ask(routes, QUESTION);
    assertThat(trial.told.stocks).hasSize(1);
  }

  private Answer keepsNothing(Routes routes) throws Exception {
    Answer answer = earlier.ask(routes, QUESTION);
    assertThat(trial.told.stocks).isEmpty();
    return answer;
  }

  private static BudgetDraft threeLevels() {
    return BudgetDraft.of("3s")
        .stages(embed().cap("100ms"), search().cap("1s"), generate().floor("500ms"))
        .level("full", "2s500ms", List.of())
        .level("fast", "2s", List.of())
        .level("least", "1s", List.of())
        .cached("cached");
  }

  @Test
  void a_full_answer_is_kept() throws Exception {
    keeps(earlier.routes(withLevel()));
    assertThat(trial.told.stocks).containsExactly(new Stock(1, 0));
  }

  @Test
  void a_complete_answer_of_the_second_level_is_kept() throws Exception {
    earlier.ask(
        earlier.routes(threeLevels()), earlier.question(QUESTION, "", List.of(), null, 2400 * MS));
    assertThat(trial.told.answers.getLast().levelName()).isEqualTo("fast");
    assertThat(trial.told.stocks).hasSize(1);
  }

  @Test
  void an_answer_of_the_third_level_is_not() throws Exception {
    earlier.ask(
        earlier.routes(threeLevels()), earlier.question(QUESTION, "", List.of(), null, 1900 * MS));
    assertThat(trial.told.answers.getLast().levelName()).isEqualTo("least");
    assertThat(trial.told.stocks).isEmpty();
  }

  @Test
  void a_static_answer_is_not() throws Exception {
    Answer answer = keepsNothing(earlier.routes(withLevel()).port("generate", earlier.hangs()));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
  }

  @Test
  void an_answer_that_was_cut_at_the_deadline_is_not() throws Exception {
    Generator slow =
        trial.writes(500, 2_500, "By card, by invoice, in cash, or with points. ".repeat(3), "Or");
    Answer answer =
        keepsNothing(earlier.routes(withLevel().lastToken("200ms")).port("generate", slow));
    assertThat(answer.truncated()).isTrue();
  }

  @Test
  void an_answer_without_context_is_not() throws Exception {
    assertThat(keepsNothing(earlier.routes(withLevel()).port("search", trial.finds(5))).noContext())
        .isTrue();
  }

  @Test
  void an_answer_from_half_of_a_search_is_not() throws Exception {
    PassageSearch partial =
        (call, query) -> new PassagesFound(Trial.passages("a"), "ranker_partial");
    keepsNothing(earlier.routes(withLevel()).port("search", partial));
  }

  @Test
  void an_answer_after_a_stage_that_failed_is_not() throws Exception {
    Embedder failing = (call, text) -> trial.fails(1, BackendException.Kind.SERVER_ERROR);
    assertThat(keepsNothing(earlier.routes(withLevel()).port("embed", failing)).degraded())
        .isTrue();
  }

  @Test
  void a_fallback_s_answer_is_not() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(
                embed().cap("100ms"),
                search().cap("1s").fallback("500ms", "100ms"),
                generate().floor("1s"))
            .level("full", "1s", List.of())
            .cached("cached");
    PassageSearch failing = (call, query) -> trial.fails(1, BackendException.Kind.SERVER_ERROR);
    Answer answer =
        keepsNothing(
            earlier.routes(draft).port("search", failing).fallback("search", trial.finds(10, "a")));
    assertThat(answer.content()).isEqualTo("By card.");
  }

  @Test
  void an_answer_with_a_tool_s_news_of_the_moment_is_not() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(
                embed().cap("100ms"),
                search().cap("1s"),
                stage("hr", StageType.TOOL).cap("100ms"),
                generate().floor("1s"))
            .level("full", "1s", List.of())
            .cached("cached");
    Tool hr = (call, input) -> "3 days left";
    assertThat(keepsNothing(earlier.routes(draft).port("hr", hr)).outcome())
        .isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void an_answer_that_the_model_broke_off_is_not() throws Exception {
    for (String reason : List.of("length", "content_filter")) {
      Generator filtered =
          (call, prompt, sink) -> {
            sink.accept("By");
            return new Completion(reason, null, null);
          };
      keepsNothing(earlier.routes(withLevel()).port("generate", filtered));
    }
  }

  @Test
  void an_answer_within_a_conversation_is_not() throws Exception {
    List<Turn> before = List.of(new Turn(Turn.Speaker.USER, "In Spain?"));
    earlier.ask(earlier.routes(withLevel()), earlier.question(QUESTION, "", before, null, null));
    assertThat(trial.told.answers).hasSize(1);
    assertThat(trial.told.stocks).isEmpty();
  }

  @Test
  void an_answer_of_a_drill_is_not() throws Exception {
    Drill drill = new Drill("rerank", Drill.Failure.ERROR);
    earlier.ask(
        earlier.routes(withLevel()), earlier.question(QUESTION, "", List.of(), drill, null));
    assertThat(trial.told.answers.getLast().outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(trial.told.stocks).isEmpty();
  }

  @Test
  void an_answer_from_the_cache_does_not_grow_young_again() throws Exception {
    keeps(earlier.routes(withLevel()));
    Answer again = earlier.ask(earlier.routes(withLevel()).policy(policy(true)), QUESTION);
    assertThat(again.cached()).isTrue();
    assertThat(trial.told.stocks).hasSize(1);
  }

  @Test
  void a_page_long_question_or_answer_is_not() throws Exception {
    String page = "why ".repeat(501);
    earlier.ask(earlier.routes(withLevel()), page);
    Generator wordy = trial.writes(5, "x".repeat(32_001));
    keepsNothing(earlier.routes(withLevel()).port("generate", wordy));
  }
}
