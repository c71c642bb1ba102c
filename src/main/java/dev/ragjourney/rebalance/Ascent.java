package dev.ragjourney.rebalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for the caps and hold-backs that are worth most, one knob at a time: with the way to a step
 * and the outlook behind it known, every choice of one knob costs one pass over the points.
 */
final class Ascent {
  private static final int MOST_SWEEPS = 3;

  /** A sweep that gains less was the last one. */
  private static final double WORTHLESS = 5e-5;

  private static final double ROUNDING = 1e-12;

  /** Prices of a missed answer, with none free: their best settings are more starts. */
  private static final double[] PRICES = {1};

  /** What a plainer value of a knob may cost against the best one. */
  private static final double NEXT_TO_NOTHING = 1e-4;

  private static final double SLOWEST = 0.999;

  private final JourneyModel model;
  private final Objective objective;
  private final KnobWorth worth;

  Ascent(JourneyModel model, Objective objective) {
    this.model = model;
    this.objective = objective;
    worth = new KnobWorth(model);
  }

  Forecast forecast(Settings settings) {
    return Outlook.of(model, settings)[0].forecast();
  }

  /**
   * Like {@link #best}, at less than half the cost: after one sweep from each start only the best
   * one goes on.
   */
  Settings mostPromising(List<Settings> starts) {
    List<Settings> swept = new ArrayList<>();
    starts.forEach(start -> swept.add(sweep(start, objective)));
    for (double price : PRICES) {
      swept.add(sweep(sweep(starts.getFirst(), new Objective(0, price)), objective));
    }
    return climb(mostWorth(swept), objective, Choices.FAR);
  }

  private Settings sweep(Settings start, Objective by) {
    return sweep(start, Outlook.of(model, start), by, Choices.FAR);
  }

  /** The best of the climbs from some starts. */
  Settings best(List<Settings> starts) {
    List<Settings> climbed = new ArrayList<>();
    starts.forEach(start -> climbed.add(climb(start, objective, Choices.FAR)));
    Settings detour = starts.getFirst();
    for (double price : PRICES) {
      detour = climb(detour, new Objective(0, price), Choices.FAR);
      climbed.add(climb(detour, objective, Choices.FAR));
    }
    return mostWorth(climbed);
  }

  private Settings mostWorth(List<Settings> candidates) {
    Settings best = candidates.getFirst();
    double most = Double.NEGATIVE_INFINITY;
    for (Settings candidate : candidates) {
      double value = objective.worth(forecast(candidate));
      if (value > most + ROUNDING) {
        best = candidate;
        most = value;
      }
    }
    return best;
  }

  /** The best settings near some. */
  Settings polished(Settings settings) {
    return climb(settings, objective, Choices.NEAR);
  }

  /**
   * Nearly as good, with as few changes as possible, and with caps that end a hanging call soon
   * after all others have ended.
   */
  Settings settled(Settings settings, Settings inForce) {
    Settings settled = settings;
    Outlook[] outlooks = Outlook.of(model, settings);
    StepEnd end = new StepEnd(model);
    Crowd crowd = Crowd.atStart(model);
    for (int step = 0; step < model.steps().size(); step++) {
      crowd.admit(step);
      for (int stage : model.steps().get(step)) {
        StageModel of = model.stages().get(stage);
        Knob hold = new Knob(step, stage, false, of.holds());
        settled = settle(hold, settled, crowd, outlooks[step + 1], new int[] {hold.value(inForce)});
        Knob cap = new Knob(step, stage, true, of.caps());
        int slowest = cap.range().clamp(of.law().quantile(SLOWEST));
        int[] lower = {cap.value(inForce), slowest, (slowest + cap.value(settled)) / 2};
        settled = settle(cap, settled, crowd, outlooks[step + 1], lower);
      }
      crowd = crowd.after(step, settled, end);
    }
    return settled;
  }

  /** The first of some values that costs next to nothing; caps only get lower than chosen. */
  private Settings settle(
      Knob knob, Settings settings, Crowd crowd, Outlook next, int[] preferred) {
    if (knob.range().fixed()) {
      return settings;
    }
    int chosen = knob.value(settings);
    int[] values = Arrays.copyOf(preferred, preferred.length + 1);
    values[preferred.length] = chosen;
    double[] worths = worth.of(knob, values, settings, crowd, next, objective);
    double least = worths[preferred.length] - NEXT_TO_NOTHING;
    for (int i = 0; i < preferred.length; i++) {
      boolean sooner = i == 0 || values[i] < chosen;
      if (sooner && worths[i] >= least) {
        return knob.set(settings, values[i]);
      }
    }
    return settings;
  }

  private Settings climb(Settings start, Objective by, Choices choices) {
    Settings settings = start;
    Outlook[] outlooks = Outlook.of(model, settings);
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      Settings next = sweep(settings, outlooks, by, choices);
      if (next.equals(settings)) {
        return settings;
      }
      Outlook[] after = Outlook.of(model, next);
      double gain = by.worth(after[0].forecast()) - by.worth(outlooks[0].forecast());
      settings = next;
      outlooks = after;
      if (gain < WORTHLESS) {
        return settings;
      }
    }
    return settings;
  }

  private Settings sweep(Settings start, Outlook[] outlooks, Objective by, Choices choices) {
    Settings settings = start;
    StepEnd end = new StepEnd(model);
    Crowd crowd = Crowd.atStart(model);
    for (int step = 0; step < model.steps().size(); step++) {
      crowd.admit(step);
      Outlook next = outlooks[step + 1];
      for (int stage : model.steps().get(step)) {
        StageModel of = model.stages().get(stage);
        Knob hold = new Knob(step, stage, false, of.holds());
        settings = choose(hold, settings, crowd, next, by, choices);
        Knob cap = new Knob(step, stage, true, of.caps());
        settings = choose(cap, settings, crowd, next, by, choices);
      }
      crowd = crowd.after(step, settings, end);
    }
    return settings;
  }

  private Settings choose(
      Knob knob, Settings settings, Crowd crowd, Outlook next, Objective by, Choices choices) {
    if (knob.range().fixed()) {
      return settings;
    }
    int current = knob.value(settings);
    int chosen = current;
    int reach = choices.reach(knob.range());
    double most = Double.NEGATIVE_INFINITY;
    for (int stride = choices.firstStride(knob.range()); stride >= 1; stride /= 4) {
      int[] values = choices.around(chosen, knob.range(), stride, reach);
      double[] worths = worth.of(knob, values, settings, crowd, next, by);
      for (int i = 0; i < values.length; i++) {
        boolean stays = values[i] == current && worths[i] >= most - ROUNDING;
        if (worths[i] > most + ROUNDING || stays) {
          chosen = values[i];
          most = worths[i];
        }
      }
      reach = stride - 1;
    }
    return knob.set(settings, chosen);
  }
}
