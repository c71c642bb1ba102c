package dev.ragjourney.rebalance;

import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves in words: what changes, and who gives to whom. */
final class Ledger {
  private Ledger() {}

  static String summary(List<CapChange> changes, @Nullable LadderChange ladder) {
    StringBuilder text = new StringBuilder(ladder == null ? "" : ladder.text());
    for (CapChange change : changes) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(change.stage())
          .append(change.knob() == CapChange.Moved.HOLD_BACK ? " holds back " : " ")
          .append(Seconds.text(change.from()))
          .append(" → ")
          .append(Seconds.text(change.to()));
    }
    return text.toString();
  }

  /**
   * Who gives to whom where caps share one pool.
   *
   * @param before what generate was left with, and {@code after} what it is left with now
   */
  static String giveAndTake(List<CapChange> changes, Duration before, Duration after) {
    List<String> gives = new ArrayList<>();
    List<String> gets = new ArrayList<>();
    for (CapChange change : changes) {
      Duration more = change.to().minus(change.from());
      (more.isNegative() ? gives : gets).add(change.stage() + " " + Seconds.text(more.abs()));
    }
    Duration more = after.minus(before);
    if (!more.isZero()) {
      (more.isNegative() ? gives : gets).add("generate " + Seconds.text(more.abs()));
    }
    String text = gives.isEmpty() ? "" : "given by " + String.join(", ", gives);
    if (!gets.isEmpty()) {
      text += (text.isEmpty() ? "" : " ") + "to " + String.join(", ", gets);
    }
    return (text.isEmpty() ? "" : text + "; ") + "generate is left with " + Seconds.text(after);
  }

  /** The changes, each with the calls that it was decided on. */
  static List<CapChange> withSamples(
      List<CapChange> changes, List<StageFacts> stages, RebalancePolicy.Rule rule) {
    return changes.stream()
        .map(
            change ->
                stages.stream()
                    .filter(facts -> named(facts.stage(), change))
                    .findFirst()
                    .map(facts -> change.withSamples(samples(facts, rule)))
                    .orElse(change))
        .toList();
  }

  private static boolean named(StageBudget stage, CapChange change) {
    return stage.name().equals(change.stage());
  }

  /** A law is learned from calls under any cap, a p95 only from those under the cap in force. */
  private static long samples(StageFacts facts, RebalancePolicy.Rule rule) {
    StageSample sample = rule == RebalancePolicy.Rule.MAX_QUALITY ? facts.window() : facts.judged();
    return Math.round(sample.calls());
  }
}
