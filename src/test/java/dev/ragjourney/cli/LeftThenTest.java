package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.crd.status.RagJourneyStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What journeys left out at noon, told by what they leave out now and by the moves since. */
class LeftThenTest {
  private static final Instant NOON = Instant.parse("2030-01-02T12:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          a stage left out since ran then                   | rerank | -    | 13:00 rerank Runs LeftOut                               |         | -
          one left out before is left out then              | rerank | -    | 11:00 rerank Runs LeftOut                               | rerank  | -
          one left out at that very time is left out then   | rerank | -    | 12:00 rerank Runs LeftOut                               | rerank  | -
          one that came back since was left out then        |        | -    | 13:00 rerank LeftOut Runs                               | rerank  | -
          out and back again since: it ran then             |        | -    | 14:00 rerank LeftOut Runs, 13:00 rerank Runs LeftOut    |         | -
          back and out again since: it was left out then    | rerank | -    | 14:00 rerank Runs LeftOut, 13:00 rerank LeftOut Runs    | rerank  | -
          one stage for another: the newest is undone first | rerank | -    | 14:00 rerank Runs LeftOut, 13:00 rewrite LeftOut Runs   | rewrite | -
          only moves since are undone                       | rerank | -    | 13:00 rerank Runs LeftOut, 11:00 rewrite LeftOut Runs   |         | -
          a lower level since: then the first one           |        | fast | 13:00 - full fast                                       |         | -
          a lower level before                              |        | fast | 11:00 - full fast                                       |         | fast
          two steps down since: then the first one          |        | tiny | 14:00 - fast tiny, 13:00 - full fast                    |         | -
          one of two steps down since                       |        | tiny | 14:00 - fast tiny, 11:00 - full fast                    |         | fast
          back at the first level since                     |        | -    | 13:00 - fast full                                       |         | fast
          a level and a stage each go their own way         | rerank | fast | 14:00 - full fast, 11:00 rerank Runs LeftOut            | rerank  | -
          a move without a time is passed over              | rerank | -    | - rerank Runs LeftOut                                   | rerank  | -
          a time that cannot be read is passed over         | rerank | -    | soon rerank Runs LeftOut                                | rerank  | -
          no moves                                          | rerank | fast |                                                         | rerank  | fast
          """)
  void what_was_left_out_at_noon(
      String name,
      @Nullable String stagesNow,
      @Nullable String levelNow,
      @Nullable String moves,
      @Nullable String stagesThen,
      @Nullable String levelThen)
      throws IOException {
    JourneyBudget now = leaving(stagesNow, levelNow);

    assertThat(LeftThen.at(NOON, now, history(moves))).isEqualTo(leaving(stagesThen, levelThen));
  }

  @Test
  void a_status_that_tells_of_no_moves_leaves_it_as_it_is_now() throws IOException {
    JourneyBudget now = leaving("rerank", "fast");

    assertThat(LeftThen.at(NOON, now, null)).isEqualTo(now);
    assertThat(LeftThen.at(NOON, now, status("observedGeneration: 1"))).isEqualTo(now);
    assertThat(LeftThen.at(NOON, now, status("rebalance: {reason: InBalance}"))).isEqualTo(now);
    assertThat(
            LeftThen.at(
                NOON,
                now,
                status(
                    "rebalance: {history: [{time: '2030-01-02T13:00:00Z', changes: [{stage: rerank, from: 1s, to: 2s}]}]}")))
        .as("a move of caps alone")
        .isEqualTo(now);
  }

  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource(
      nullValues = "-",
      value = {
        "'', -, -",
        "rerank, -, 'rerank is left out; 5.0 % of them leave nothing out, to notice when that serves"
            + " better again'",
        "rewrite rerank, -, 'rewrite, rerank are left out; 5.0 % of them leave nothing out, to notice"
            + " when that serves better again'",
        "'', fast, 'journeys begin at level fast; 5.0 % of them leave nothing out, to notice when that"
            + " serves better again'",
        "rerank, fast, 'rerank is left out, and journeys begin at level fast; 5.0 % of them leave"
            + " nothing out, to notice when that serves better again'"
      })
  void it_is_told_in_one_sentence(
      String stages, @Nullable String level, @Nullable String expected) {
    assertThat(LeftThen.note(leaving(stages, level))).isEqualTo(expected);
  }

  private static JourneyBudget leaving(@Nullable String stages, @Nullable String level) {
    LeftOut left = LeftOut.NOTHING.from(level);
    for (String stage : words(stages)) {
      left = left.with(stage);
    }
    return BudgetDraft.of("3s")
        .stages(
            StageDraft.rewrite().cap("400ms"),
            StageDraft.search().cap("600ms"),
            StageDraft.rerank().cap("700ms"),
            StageDraft.generate().floor("600ms"))
        .level("full", "0s", List.of())
        .level("fast", "0s", List.of("rerank"))
        .level("tiny", "0s", List.of("rewrite", "rerank"))
        .budget()
        .leaving(left);
  }

  private static List<String> words(@Nullable String text) {
    return text == null || text.isBlank() ? List.of() : Arrays.asList(text.strip().split(" "));
  }

  /** Newest first: time, stage or - for the level, from, to. */
  private static RagJourneyStatus history(@Nullable String moves) throws IOException {
    StringBuilder yaml = new StringBuilder("rebalance:\n  history:\n");
    for (String move : moves == null || moves.isBlank() ? new String[0] : moves.split(",")) {
      String[] parts = move.strip().split(" ");
      yaml.append("  - reason: Rebalanced\n");
      if (!parts[0].equals("-")) {
        yaml.append("    time: '%s'\n".formatted(time(parts[0])));
      }
      String stage = parts[1].equals("-") ? "" : "stage: " + parts[1] + ", ";
      yaml.append("    ladder: {%sfrom: %s, to: %s}\n".formatted(stage, parts[2], parts[3]));
    }
    return status(yaml.toString());
  }

  private static String time(String text) {
    return text.contains(":") ? "2030-01-02T" + text + ":00Z" : text;
  }

  private static RagJourneyStatus status(String yaml) throws IOException {
    return YAMLMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build()
        .readValue(yaml, RagJourneyStatus.class);
  }
}
