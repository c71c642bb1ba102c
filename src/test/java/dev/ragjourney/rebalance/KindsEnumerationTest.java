package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.rebalance.StageModel.AtLevel;
import dev.ragjourney.rebalance.StageModel.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Journeys of four stages, the second and the third side by side, of which one stage is of each
 * kind: every outcome is enumerated, straight from the definitions. Latencies take two values.
 */
class KindsEnumerationTest {
  private static final int HORIZON = 11;
  private static final Objective OBJECTIVE = Objective.missing(0.05);
  private static final int MANY = 60;

  /** What a stage is, beside its place. */
  private enum Kind {
    OPTIONAL(false, false, false),
    REQUIRED(true, false, false),
    HEDGED(true, true, false),
    CANCELLING(true, true, true);

    private final boolean needed;
    private final boolean fallback;
    private final boolean cancels;

    Kind(boolean needed, boolean fallback, boolean cancels) {
      this.needed = needed;
      this.fallback = fallback;
      this.cancels = cancels;
    }
  }

  private record Two(int[] points, double[] shares) {
    static Two random(Random random, int longest) {
      double share = 0.2 + 0.6 * random.nextDouble();
      return new Two(
          new int[] {1 + random.nextInt(longest), 1 + random.nextInt(longest)},
          new double[] {share, 1 - share});
    }

    CellLaw law() {
      return Models.points(HORIZON, points, shares);
    }
  }

  private record Stage(Kind kind, Two own, Two other, double failing, boolean pinned) {
    static Stage random(Random random, Kind kind) {
      return new Stage(
          kind,
          Two.random(random, 6),
          Two.random(random, 3),
          random.nextInt(3) == 0 ? 0 : random.nextDouble() / 4,
          random.nextInt(4) == 0);
    }

    StageModel model() {
      return new StageModel(
          own.law(),
          kind.fallback ? other.law() : null,
          failing,
          kind.cancels,
          kind.needed,
          HORIZON,
          HORIZON + 1,
          0,
          0,
          List.of(new AtLevel(true, 0, 0, HORIZON)),
          pinned ? Range.only(4) : new Range(1, HORIZON),
          new Range(0, 4));
    }
  }

  /** When a stage ends, whether with its own result, and whether with one at all. */
  private record End(int at, boolean own, boolean any) {}

  private record Journey(List<Stage> stages) {
    static Journey random(Random random, Kind kind) {
      List<Stage> stages = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Kind[] kinds = Kind.values();
        stages.add(Stage.random(random, i == 1 ? kind : kinds[random.nextInt(kinds.length)]));
      }
      return new Journey(stages);
    }

    JourneyModel model() {
      return new JourneyModel(
          HORIZON,
          stages.stream().map(Stage::model).toList(),
          List.of(List.of(0), List.of(1, 2), List.of(3)),
          1);
    }

    Forecast enumerated(Settings settings) {
      double[] sums = new double[2];
      draw(settings, new int[4], new int[4], 0, 1, sums);
      return new Forecast(sums[0], sums[1]);
    }

    /** Deals every stage a latency, or the failure 0, and its fallback one. */
    private void draw(
        Settings settings, int[] own, int[] other, int stage, double share, double[] sums) {
      if (stage == stages.size()) {
        @Nullable Boolean full = full(settings, own, other);
        if (full == null) {
          sums[1] += share;
        } else if (full) {
          sums[0] += share;
        }
        return;
      }
      Stage of = stages.get(stage);
      for (int a = 0; a < 3; a++) {
        own[stage] = a == 2 ? 0 : of.own.points[a];
        double mine = a == 2 ? of.failing : (1 - of.failing) * of.own.shares[a];
        for (int b = 0; b < 2; b++) {
          other[stage] = of.other.points[b];
          draw(settings, own, other, stage + 1, share * mine * of.other.shares[b], sums);
        }
      }
    }

    /** Null for a missed answer. */
    private @Nullable Boolean full(Settings settings, int[] own, int[] other) {
      int clock = 0;
      boolean full = true;
      for (List<Integer> step : List.of(List.of(0), List.of(1, 2), List.of(3))) {
        int longest = 0;
        for (int stage : step) {
          End end = end(stage, settings, clock, own[stage], other[stage]);
          if (!end.any && stages.get(stage).kind.needed) {
            return null;
          }
          full &= end.own;
          longest = Math.max(longest, end.at);
        }
        clock += longest;
      }
      return full;
    }

    private End end(int stage, Settings settings, int clock, int own, int other) {
      Stage of = stages.get(stage);
      int left = HORIZON - clock;
      int allowance = Math.min(settings.cap(stage), left - settings.hold(stage));
      boolean starts = allowance >= 0;
      boolean fails = starts && own == 0;
      if (starts && !fails && own <= allowance) {
        return new End(own, true, true);
      }
      int from = starts && !fails ? allowance : 0;
      if (!of.kind.fallback) {
        return new End(from, false, false);
      }
      boolean races = starts && !fails && !of.kind.cancels;
      if (races && own <= left && own <= from + other) {
        return new End(own, true, true);
      }
      return from + other <= left
          ? new End(from + other, false, true)
          : new End(left, false, false);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void what_settings_give_is_what_enumeration_gives(Kind kind) {
    Random random = new Random(kind.ordinal());
    for (int i = 0; i < MANY; i++) {
      Journey journey = Journey.random(random, kind);
      JourneyModel model = journey.model();
      Ascent ascent = new Ascent(model, OBJECTIVE);
      for (int k = 0; k < 5; k++) {
        Settings any = any(random, model);
        Forecast expected = journey.enumerated(any);
        Forecast forecast = ascent.forecast(any);
        assertThat(forecast.full())
            .as("full of %s under %s", journey, any)
            .isCloseTo(expected.full(), within(1e-9));
        assertThat(forecast.miss())
            .as("miss of %s under %s", journey, any)
            .isCloseTo(expected.miss(), within(1e-9));
      }
    }
  }

  /** No other value of any one knob is better, and no random settings are. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void no_single_change_of_what_is_found_is_better(Kind kind) {
    Random random = new Random(10 + kind.ordinal());
    for (int i = 0; i < 10; i++) {
      Journey journey = Journey.random(random, kind);
      JourneyModel model = journey.model();
      Settings found =
          new Ascent(model, OBJECTIVE)
              .best(List.of(Settings.loosest(model), any(random, model), any(random, model)));
      double worth = OBJECTIVE.worth(journey.enumerated(found));
      for (int stage = 0; stage < 4; stage++) {
        Range caps = model.stages().get(stage).caps();
        assertThat(found.cap(stage)).isBetween(caps.lowest(), caps.highest());
        for (int cap = caps.lowest(); cap <= caps.highest(); cap++) {
          assertThat(OBJECTIVE.worth(journey.enumerated(found.withCap(stage, cap))))
              .as("cap %d of stage %d against %s", cap, stage, found)
              .isLessThanOrEqualTo(worth + 1e-9);
        }
        for (int hold = 0; hold <= 4; hold++) {
          assertThat(OBJECTIVE.worth(journey.enumerated(found.withHold(stage, hold))))
              .as("hold-back %d of stage %d against %s", hold, stage, found)
              .isLessThanOrEqualTo(worth + 1e-9);
        }
      }
    }
  }

  private static Settings any(Random random, JourneyModel model) {
    int[] caps = new int[4];
    int[] holds = new int[4];
    for (int stage = 0; stage < 4; stage++) {
      Range range = model.stages().get(stage).caps();
      caps[stage] = range.lowest() + random.nextInt(range.highest() - range.lowest() + 1);
      holds[stage] = random.nextInt(5);
    }
    return Settings.of(caps, holds);
  }
}
