package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.percent;

import org.jspecify.annotations.Nullable;

/** The answer to a what-if for people. */
final class ForeseenText {
  private ForeseenText() {}

  static String of(Foreseen answer) {
    StringBuilder text = new StringBuilder();
    text.append("%s/%s, %s\n".formatted(answer.namespace(), answer.journey(), answer.figures()));
    text.append("what if: %s\n".formatted(String.join("; ", answer.changes())));
    text.append("verdict: %s, %s\n".formatted(answer.reason(), answer.message()));
    answer.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    text.append('\n').append(rows(answer));
    text.append('\n').append(stages(answer));
    if (!answer.moves().isEmpty()) {
      text.append("\nthe next move\n");
      answer
          .moves()
          .forEach(move -> text.append("  ").append(ExplanationText.change(move)).append('\n'));
    }
    return text.toString();
  }

  private static String rows(Foreseen answer) {
    TextTable table = new TextTable("", "FULL", "DEGRADED", "MISSED", "ATTAINABLE");
    Foreseen.Row now = answer.rows().getFirst();
    for (Foreseen.Row row : answer.rows()) {
      boolean first = row.equals(now);
      table.row(
          row.name(),
          figure(row.full(), now.full(), first),
          figure(row.degraded(), now.degraded(), first),
          figure(row.missed(), now.missed(), first),
          percent(row.attainable()));
    }
    return table.text(0);
  }

  private static @Nullable String figure(
      @Nullable Double then, @Nullable Double now, boolean first) {
    return first || then == null || now == null
        ? percent(then)
        : percent(then) + " (" + Shown.points(then - now) + ")";
  }

  private static String stages(Foreseen answer) {
    TextTable table = new TextTable("STAGE", "CAP NOW", "CUT NOW", "CAP THEN", "CUT THEN");
    for (Foreseen.Stage stage : answer.stages()) {
      table.row(
          stage.name(),
          stage.capNow() == null ? "what remains" : stage.capNow(),
          percent(stage.cutNow()),
          stage.capThen() == null ? "what remains" : stage.capThen(),
          percent(stage.cutThen()));
    }
    return table.text(0);
  }
}
