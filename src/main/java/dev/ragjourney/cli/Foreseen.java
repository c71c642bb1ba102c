package dev.ragjourney.cli;

import static dev.ragjourney.cli.Shown.ratio;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.rebalance.WhatIf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a what-if. Durations as the resource spells them, shares from 0 to 1.
 *
 * @param changes what would be different
 * @param figures where the latencies are from
 * @param rows what now and then are expected to give
 * @param moves what the rule would do then
 * @param notes for people
 */
record Foreseen(
    String namespace,
    String journey,
    List<String> changes,
    String figures,
    String reason,
    String message,
    List<Row> rows,
    List<Stage> stages,
    List<Explanation.Change> moves,
    List<String> notes) {
  Foreseen {
    changes = List.copyOf(changes);
    rows = List.copyOf(rows);
    stages = List.copyOf(stages);
    moves = List.copyOf(moves);
    notes = List.copyOf(notes);
  }

  /**
   * @param attainable share that would be full if nothing were ever cut; null where it is the same
   */
  record Row(
      String name,
      @Nullable Double full,
      @Nullable Double degraded,
      @Nullable Double missed,
      @Nullable Double attainable) {
    static Row of(String name, Forecast forecast, @Nullable Double attainable) {
      return new Row(
          name,
          ratio(forecast.full()),
          ratio(Math.max(0, 1 - forecast.full() - forecast.miss())),
          ratio(forecast.miss()),
          ratio(attainable));
    }
  }

  /**
   * @param cutNow share of its calls that are longer than its cap
   */
  record Stage(
      String name,
      @Nullable String capNow,
      @Nullable Double cutNow,
      @Nullable String capThen,
      @Nullable Double cutThen) {}

  static Foreseen of(
      LoadedJourney journey,
      WhatIfOptions options,
      String about,
      WhatIf.Answer.Foreseen foreseen,
      RebalanceInput input,
      WhatIf.Change change) {
    List<Row> rows = new ArrayList<>();
    rows.add(Row.of("now", foreseen.now().forecast(), foreseen.now().attainable()));
    boolean same = options.asksForRule() && !options.changesStages() && !options.changesTotal();
    if (!same) {
      rows.add(Row.of("then", foreseen.then().forecast(), foreseen.then().attainable()));
    }
    List<CapChange> moves = new ArrayList<>();
    if (options.asksForRule()) {
      moves.addAll(afterRule(journey, foreseen, input, change, rows));
    }
    return new Foreseen(
        journey.id().namespace(),
        journey.id().name(),
        options.texts(),
        about,
        foreseen.reason(),
        foreseen.message(),
        rows,
        stages(input.budget(), change.budget(), foreseen),
        moves.stream().map(LastChanges::proposed).toList(),
        notes(journey, options, change));
  }

  private static List<CapChange> afterRule(
      LoadedJourney journey,
      WhatIf.Answer.Foreseen foreseen,
      RebalanceInput input,
      WhatIf.Change change,
      List<Row> rows) {
    String next = "after the next move of " + change.policy().rule().label();
    if (change.policy().rule() == Rule.MAX_QUALITY) {
      rows.add(Row.of(next, foreseen.then().afterChanges(), null));
      rows.add(Row.of("where its moves lead", foreseen.then().best(), null));
      return foreseen.then().changes();
    }
    Forecasts forecasts =
        Rebalancer.decide(
                journey.round(input.budget(), change.policy(), input.reading(), input.now()))
            .figures()
            .forecasts();
    if (forecasts == null) {
      return List.of();
    }
    for (Forecasts.OfRule of : forecasts.rules()) {
      if (of.rule() == change.policy().rule()) {
        rows.add(Row.of(next, of.forecast(), null));
        return of.changes();
      }
    }
    return List.of();
  }

  private static List<Stage> stages(
      JourneyBudget now, JourneyBudget then, WhatIf.Answer.Foreseen foreseen) {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < now.stages().size(); i++) {
      StageBudget before = now.stages().get(i);
      stages.add(
          new Stage(
              before.name(),
              Shown.duration(before.cap()),
              ratio(foreseen.now().cuts().get(before.name())),
              Shown.duration(then.stages().get(i).cap()),
              ratio(foreseen.then().cuts().get(before.name()))));
    }
    return stages;
  }

  private static List<String> notes(
      LoadedJourney journey, WhatIfOptions options, WhatIf.Change change) {
    List<String> notes = new ArrayList<>(journey.notes());
    String left = LeftThen.note(journey.inForce());
    if (left != null) {
      notes.add(left);
    }
    if (options.changesTotal()) {
      notes.add("a changed total drops the caps that were moved, so the declared ones hold then");
    }
    for (StageBudget stage : change.budget().stages()) {
      RebalancePolicy.CapRange range = change.policy().capRanges().get(stage.name());
      Duration cap = stage.cap();
      if (cap != null
          && range != null
          && (cap.compareTo(range.min()) < 0 || cap.compareTo(range.max()) > 0)) {
        notes.add(
            "the cap of %s is outside of its range %s…%s: rebalancing would never set it"
                .formatted(stage.name(), Shown.duration(range.min()), Shown.duration(range.max())));
      }
    }
    return notes;
  }
}
