package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.percent;

import dev.ragjourney.cli.Explanation.Change;
import dev.ragjourney.cli.Explanation.Measured;
import dev.ragjourney.cli.Explanation.Stage;
import dev.ragjourney.rebalance.CapChange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An explanation for people. */
final class ExplanationText {
  private final StringBuilder text = new StringBuilder();

  private ExplanationText() {}

  static String of(Explanation explanation) {
    ExplanationText writer = new ExplanationText();
    writer.head(explanation);
    writer.stages(explanation);
    writer.reasons(explanation);
    writer.answers(explanation);
    writer.next(explanation);
    explanation
        .attention()
        .forEach(one -> writer.line("\n! status says %s: %s".formatted(one.name(), one.message())));
    return writer.text.toString();
  }

  private void head(Explanation explanation) {
    Explanation.Budget budget = explanation.budget();
    line(
        "%s/%s: %s to the %s, reserve %s, mode %s, rule %s%s"
            .formatted(
                explanation.namespace(),
                explanation.journey(),
                budget.total(),
                budget.countTo().equals("FirstToken") ? "first token" : "last token",
                budget.reserve(),
                budget.mode(),
                budget.rule(),
                budget.revision() == null ? "" : ", plan " + budget.revision()));
    line("figures: %s".formatted(explanation.figures().about()));
    if (explanation.figures().message() != null) {
      String reason = explanation.figures().reason();
      line(
          "verdict: %s%s"
              .formatted(reason == null ? "" : reason + ", ", explanation.figures().message()));
    }
    explanation.notes().forEach(note -> line("note: %s".formatted(note)));
  }

  private void stages(Explanation explanation) {
    TextTable table =
        new TextTable(
            "STAGE",
            "CAP",
            "DECLARED",
            "RANGE",
            "P50",
            "P95",
            "HEADROOM",
            "NEED",
            "SAMPLES",
            "TIMEOUTS",
            "SKIPPED",
            "HOLDS BACK");
    for (Stage stage : explanation.stages()) {
      Measured measured = stage.measured();
      table.row(
          stage.name(),
          stage.cap() == null ? "what remains" : stage.cap(),
          stage.declaredCap(),
          stage.capMin() == null ? null : stage.capMin() + "…" + stage.capMax(),
          measured.p50(),
          p95(measured),
          measured.shortBy() == null ? measured.headroom() : "short by " + measured.shortBy(),
          stage.cap() == null ? null : measured.need(),
          measured.samples(),
          percent(measured.timeoutRatio()),
          percent(measured.skippedRatio()),
          stage.holdBack());
    }
    text.append('\n').append(table.text(0));
  }

  private static @Nullable String p95(Measured measured) {
    return measured.p95() == null && measured.p95AtLeast() != null
        ? "≥ " + measured.p95AtLeast()
        : measured.p95();
  }

  private void reasons(Explanation explanation) {
    TextTable table = new TextTable();
    for (Stage stage : explanation.stages()) {
      table.row("  " + stage.name(), why(stage));
      if (stage.lastHoldBackChange() != null && stage.holdBack() != null) {
        table.row("", moved("holds back ", stage.lastHoldBackChange()));
      }
      if (stage.limitedBy() != null) {
        table.row(
            "",
            "the time is often gone when it should start: " + stage.limitedBy() + " uses it up");
      }
    }
    text.append("\nwhy\n").append(table.text(0));
  }

  private static String why(Stage stage) {
    if (stage.cap() == null) {
      return "no cap: it takes what remains"
          + (stage.floor() == null ? "" : ", which is at least " + stage.floor());
    }
    Change change = stage.lastChange();
    boolean declared = stage.cap().equals(stage.declaredCap());
    if (change != null && Objects.equals(change.to(), stage.cap())) {
      return moved("", change);
    }
    if (declared) {
      return "as declared" + (change == null ? ", never moved" : " again, as the spec has changed");
    }
    return "moved from " + stage.declaredCap() + "; why is no longer recorded";
  }

  private static String moved(String what, Change change) {
    return "%s%s → %s at %s: %s"
        .formatted(what, change.from(), change.to(), change.at(), change.why());
  }

  private void answers(Explanation explanation) {
    Explanation.Answers answers = explanation.answers();
    if (answers == null || answers.full() == null) {
      return;
    }
    line(
        "\nanswers: %s%s full, %s degraded, %s missed (objective at most %s); p95 %s, usually level %s"
            .formatted(
                answers.answers() == null ? "" : answers.answers() + ", ",
                percent(answers.full()),
                percent(answers.degraded()),
                percent(answers.missed()),
                percent(explanation.budget().missRatio()),
                known(answers.p95()),
                known(answers.usualLevel())));
    if (answers.remainingAtGenerate() != null) {
      line(
          "         half of them have %s or more left when generate starts"
              .formatted(answers.remainingAtGenerate()));
    }
    if (answers.attainable() != null) {
      line(
          "         %s would be full if nothing were ever cut: no caps give more"
              .formatted(percent(answers.attainable())));
    }
    if (answers.costliestStage() != null) {
      line(
          "         %s costs the most full answers; what buys them back: %s"
              .formatted(answers.costliestStage(), known(answers.remedy())));
    }
  }

  private static String known(@Nullable String figure) {
    return figure == null ? "unknown" : figure;
  }

  private void next(Explanation explanation) {
    if (!explanation.rules().isEmpty()) {
      TextTable table = new TextTable("NEXT", "FULL", "DEGRADED", "MISSED", "CHANGES");
      for (Explanation.Rule rule : explanation.rules()) {
        boolean first = true;
        for (Change change : rule.changes()) {
          table.row(
              first ? rule.rule() : "",
              first ? percent(rule.full()) : "",
              first ? percent(rule.degraded()) : "",
              first ? percent(rule.missed()) : "",
              change(change));
          first = false;
        }
        if (first) {
          table.row(
              rule.rule(),
              percent(rule.full()),
              percent(rule.degraded()),
              percent(rule.missed()),
              rule.rule().equals("in force") ? "" : "none");
        }
      }
      text.append('\n').append(table.text(0));
      explanation.rules().stream()
          .filter(rule -> rule.message() != null)
          .forEach(rule -> line("%s: %s".formatted(rule.rule(), rule.message())));
    }
    if (explanation.advice() != null) {
      line("\nadvice: %s".formatted(explanation.advice()));
    }
    Explanation.Decision decision = explanation.decision();
    if (decision.reason() != null) {
      line("\n%s: %s, %s".formatted(decision.name(), decision.reason(), decision.message()));
    }
  }

  /** What a rule would change, on one line. */
  static String change(Change change) {
    boolean held = change.knob().equals(CapChange.Moved.HOLD_BACK.label());
    return "%s %s%s → %s: %s"
        .formatted(
            change.stage(), held ? "holds back " : "", change.from(), change.to(), change.why());
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
