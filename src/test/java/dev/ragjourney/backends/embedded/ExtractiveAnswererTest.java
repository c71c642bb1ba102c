package dev.ragjourney.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.TokenSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtractiveAnswererTest {
  private static final String QUESTION = "How many days of paid leave does an employee get a year?";

  private static HouseRules rules;
  private static ExtractiveAnswerer answerer;

  @BeforeAll
  static void index() throws Exception {
    rules = new HouseRules();
    answerer = new ExtractiveAnswerer(rules.vectors);
  }

  @AfterAll
  static void close() throws Exception {
    rules.close();
  }

  private static Prompt prompt(
      String question, List<Passage> passages, @Nullable Integer maxTokens) {
    return new Prompt(question, passages, "", passages.isEmpty(), maxTokens, null);
  }

  private static Completion answer(Prompt prompt, TokenSink sink) throws Exception {
    return answerer.generate(Calls.patient(), prompt, sink);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        QUESTION + " | Every employee gets 25 days of paid leave a year. | 1",
        "When do I need a doctor's note? | From the third day on a doctor's note is needed. | 2",
        "What happens with a stolen laptop? |"
            + " A stolen laptop is reported to the security team at once. | 3",
        "Which hotels need no approval? | Hotels up to 120 euros a night need no approval. | 5",
      })
  void the_answer_quotes_the_sentence_and_cites_its_passage(
      String question, String sentence, int number) throws Exception {
    List<String> pieces = new ArrayList<>();
    Completion completion = answer(prompt(question, HouseRules.ALL, null), pieces::add);
    String text = String.join("", pieces);
    Passage source = HouseRules.ALL.get(number - 1);
    assertThat(text).startsWith(sentence).contains("[" + number + "]");
    assertThat(text.substring(text.indexOf("\n\n"))).contains("[" + number + "] " + source.title());
    assertThat(pieces).hasSizeGreaterThanOrEqualTo(2).noneMatch(String::isEmpty);
    assertThat(completion.finishReason()).isEqualTo("stop");
    assertThat(completion.inputTokens()).isGreaterThan(100);
    assertThat(completion.outputTokens()).isBetween(10, 200);
  }

  @Test
  void without_context_the_answer_says_so() throws Exception {
    StringBuilder text = new StringBuilder();
    Completion completion = answer(prompt(QUESTION, List.of(), null), text::append);
    assertThat(text.toString()).isEqualTo(ExtractiveAnswerer.NO_CONTEXT);
    assertThat(completion.finishReason()).isEqualTo("stop");
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(strings = {"What is the capital of Mongolia?", "xyzzy plugh", "", "?"})
  void where_no_sentence_fits_the_answer_says_so(String question) throws Exception {
    StringBuilder text = new StringBuilder();
    answer(prompt(question, HouseRules.ALL, null), text::append);
    assertThat(text.toString()).isEqualTo(ExtractiveAnswerer.NO_ANSWER);
  }

  @ParameterizedTest(name = "at most {0} tokens: ends with {1}")
  @CsvSource({"1, length", "6, length", "14, stop", "18, stop", "400, stop"})
  void no_more_tokens_come_than_allowed(int maxTokens, String finishReason) throws Exception {
    StringBuilder text = new StringBuilder();
    Completion completion = answer(prompt(QUESTION, HouseRules.ALL, maxTokens), text::append);
    assertThat(rules.encoder.count(text.toString(), 1000)).isBetween(1, maxTokens);
    assertThat(completion.outputTokens()).isEqualTo(rules.encoder.count(text.toString(), 1000));
    assertThat(completion.finishReason()).isEqualTo(finishReason);
  }

  @Test
  void a_call_cut_off_in_the_middle_writes_no_further_sentence() {
    Calls.Cutter cutter = new Calls.Cutter();
    StageCall call = Calls.within(Duration.ofMinutes(1), cutter);
    List<String> pieces = new ArrayList<>();
    TokenSink sink =
        piece -> {
          pieces.add(piece);
          cutter.cut();
        };
    assertThatThrownBy(() -> answerer.generate(call, prompt(QUESTION, HouseRules.ALL, null), sink))
        .isInstanceOf(CallCancelledException.class);
    assertThat(pieces).hasSize(1);
  }

  @Test
  void passages_from_elsewhere_are_quoted_too() throws Exception {
    Passage elsewhere =
        new Passage("w#1", "Parking", "Bicycles stand in the yard. Cars stand in the garage.", 0);
    StringBuilder text = new StringBuilder();
    answer(prompt("Where do bicycles stand?", List.of(elsewhere), null), text::append);
    assertThat(text.toString())
        .startsWith("Bicycles stand in the yard.")
        .endsWith("\n\n[1] Parking");
  }
}
