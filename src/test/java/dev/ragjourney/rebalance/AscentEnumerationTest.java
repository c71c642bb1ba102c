package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.rebalance.StageModel.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Journeys of three stages whose latencies take two or three values: every outcome under every
 * choice of caps and hold-backs is enumerated, straight from the definitions.
 */
class AscentEnumerationTest {
  private static final int HORIZON = 11;
  private static final Range HOLDS = new Range(0, 6);
  private static final Objective OBJECTIVE = Objective.missing(0.05);

  /** A latency that takes a few values. */
  private record Few(int[] points, double[] shares) {
    static Few random(Random random, int values, int longest) {
      int[] points = new int[values];
      double[] shares = new double[values];
      double left = 1;
      for (int i = 0; i < values; i++) {
        points[i] = random.nextInt(longest) + 1;
        shares[i] = i == values - 1 ? left : left * (0.3 + 0.6 * random.nextDouble());
        left -= shares[i];
      }
      return new Few(points, shares);
    }

    CellLaw law() {
      return Models.points(HORIZON, points, shares);
    }
  }

  /** A rewrite that may be left out, a search and a model with fallbacks. */
  private record Case(Few rewrite, Few search, Few keyword, Few model, Few small, boolean hedged) {
    static Case random(long seed) {
      Random random = new Random(seed);
      return new Case(
          Few.random(random, 3, 7),
          Few.random(random, 3, 8),
          Few.random(random, 2, 3),
          Few.random(random, 3, 9),
          Few.random(random, 2, 4),
          seed % 3 != 0);
    }

    JourneyModel onGrid() {
      StageModel first = Models.optional(rewrite.law());
      StageModel second =
          hedged
              ? Models.hedged(search.law(), keyword.law())
              : Models.cancelling(search.law(), keyword.law());
      StageModel third =
          hedged
              ? Models.hedged(model.law(), small.law())
              : Models.cancelling(model.law(), small.law());
      return Models.serial(
          HORIZON,
          Models.holding(first, HOLDS),
          Models.holding(second, HOLDS),
          Models.capped(Models.holding(third, HOLDS), Range.only(HORIZON)));
    }

    Forecast enumerated(Settings settings) {
      double full = 0;
      double miss = 0;
      for (int a = 0; a < rewrite.points.length; a++) {
        int tau = Math.min(settings.cap(0), HORIZON - settings.hold(0));
        boolean done = rewrite.points[a] <= tau;
        int time = done ? rewrite.points[a] : Math.max(0, tau);
        for (int b = 0; b < search.points.length; b++) {
          for (int c = 0; c < keyword.points.length; c++) {
            int[] second = required(settings, 1, time, search.points[b], keyword.points[c]);
            for (int d = 0; d < model.points.length; d++) {
              for (int e = 0; e < small.points.length; e++) {
                double share =
                    rewrite.shares[a]
                        * search.shares[b]
                        * keyword.shares[c]
                        * model.shares[d]
                        * small.shares[e];
                if (second[0] > HORIZON) {
                  miss += share;
                  continue;
                }
                int[] third = required(settings, 2, second[0], model.points[d], small.points[e]);
                if (third[0] > HORIZON) {
                  miss += share;
                } else if (done && second[1] == 1 && third[1] == 1) {
                  full += share;
                }
              }
            }
          }
        }
      }
      return new Forecast(full, miss);
    }

    /** The moment at which a stage with a fallback ends, and 1 for its own result. */
    private int[] required(Settings settings, int stage, int time, int own, int other) {
      int tau = Math.min(settings.cap(stage), HORIZON - time - settings.hold(stage));
      if (tau < 0) {
        return new int[] {time + other, 0};
      }
      if (own <= tau) {
        return new int[] {time + own, 1};
      }
      int fallback = tau + other;
      return hedged && own <= fallback ? new int[] {time + own, 1} : new int[] {time + fallback, 0};
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void the_best_caps_and_hold_backs_are_found_exactly(long seed) {
    Case random = Case.random(seed);
    JourneyModel model = random.onGrid();
    Ascent ascent = new Ascent(model, OBJECTIVE);
    Settings start = Settings.loosest(model);

    Settings found = ascent.best(starts(model));

    double best = Double.NEGATIVE_INFINITY;
    Settings bestSettings = start;
    for (int c0 = 0; c0 <= HORIZON; c0++) {
      for (int r0 = 0; r0 <= HOLDS.highest(); r0++) {
        for (int c1 = 0; c1 <= HORIZON; c1++) {
          for (int r1 = 0; r1 <= HOLDS.highest(); r1++) {
            for (int r2 = 0; r2 <= HOLDS.highest(); r2++) {
              Settings all = Settings.of(new int[] {c0, c1, HORIZON}, new int[] {r0, r1, r2});
              double worth = OBJECTIVE.worth(random.enumerated(all));
              if (worth > best) {
                best = worth;
                bestSettings = all;
              }
            }
          }
        }
      }
    }
    assertThat(OBJECTIVE.worth(ascent.forecast(found)))
        .as("found %s, best %s", found, bestSettings)
        .isCloseTo(best, within(1e-9));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22, 23, 24, 25, 26})
  void what_settings_give_is_what_enumeration_gives(long seed) {
    Case random = Case.random(seed);
    Ascent ascent = new Ascent(random.onGrid(), OBJECTIVE);
    Random settings = new Random(seed);
    for (int i = 0; i < 200; i++) {
      Settings any =
          Settings.of(
              new int[] {settings.nextInt(12), settings.nextInt(12), HORIZON},
              new int[] {settings.nextInt(7), settings.nextInt(7), settings.nextInt(7)});
      Forecast expected = random.enumerated(any);
      Forecast forecast = ascent.forecast(any);
      assertThat(forecast.full()).as("full of %s", any).isCloseTo(expected.full(), within(1e-9));
      assertThat(forecast.miss()).as("miss of %s", any).isCloseTo(expected.miss(), within(1e-9));
    }
  }

  /** A coarse net of starts: a law of three points has many peaks. */
  private static List<Settings> starts(JourneyModel model) {
    List<Settings> starts = new ArrayList<>(List.of(Settings.loosest(model)));
    for (int cap = 1; cap <= 8; cap++) {
      for (int hold = 0; hold <= 4; hold += 2) {
        starts.add(Settings.of(new int[] {cap, cap, HORIZON}, new int[] {0, 0, hold}));
        starts.add(
            Settings.of(new int[] {cap, HORIZON, HORIZON}, new int[] {0, 6 - cap / 2, hold}));
      }
    }
    return starts;
  }
}
