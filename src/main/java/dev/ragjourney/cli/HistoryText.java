package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.percent;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Past rounds for people. */
final class HistoryText {
  private HistoryText() {}

  static String of(History history) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s/%s, %s\n\n".formatted(history.namespace(), history.journey(), history.figures()));
    text.append(rounds(history.rounds()));
    History.Summary summary = history.summary();
    text.append("\n%d of %d rounds could be judged".formatted(summary.judged(), summary.rounds()));
    if (summary.judged() > 0) {
      text.append(
          ": %s of the answers were full, %s were expected"
              .formatted(known(percent(summary.full())), known(percent(summary.forecast()))));
    }
    text.append('\n');
    for (History.RuleSummary rule : summary.rules()) {
      if (rule.full() != null) {
        text.append(
            "%s would have moved in %d: %s full and %s missed expected after its moves\n"
                .formatted(
                    rule.rule(), rule.moves(), percent(rule.full()), percent(rule.missed())));
      }
    }
    return text.toString();
  }

  private static String rounds(List<History.Round> rounds) {
    List<String> titles =
        new ArrayList<>(List.of("AT", "ANSWERS", "FULL", "DEGRADED", "MISSED", "EXPECTED"));
    List<String> rules =
        rounds.stream()
            .flatMap(round -> round.rules().stream())
            .map(Explanation.Rule::rule)
            .distinct()
            .toList();
    rules.forEach(rule -> titles.add(rule + " WOULD"));
    TextTable table = new TextTable(titles.toArray(String[]::new));
    for (History.Round round : rounds) {
      List<@Nullable Object> cells = new ArrayList<>();
      cells.add(round.at());
      cells.add(round.observed().answers());
      cells.add(percent(round.observed().full()));
      cells.add(percent(round.observed().degraded()));
      cells.add(percent(round.observed().missed()));
      cells.add(round.inForceFull() == null ? round.verdict() : percent(round.inForceFull()));
      round.rules().forEach(rule -> cells.add(would(rule)));
      table.row(cells.toArray());
    }
    return table.text(0);
  }

  private static String would(Explanation.Rule rule) {
    return rule.changes().isEmpty()
        ? "hold"
        : rule.changes().stream()
                .map(
                    change ->
                        change.stage()
                            + (change.knob().equals("Cap") ? " " : " holds back ")
                            + change.from()
                            + "→"
                            + change.to())
                .collect(Collectors.joining(", "))
            + " = "
            + percent(rule.full());
  }

  private static String known(@Nullable String figure) {
    return figure == null ? "an unknown share" : figure;
  }
}
