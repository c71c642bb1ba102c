package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.Map;

/**
 * How caps may move: the resource's {@code rebalance} section with its defaults resolved.
 *
 * @param mode whether decisions are carried out
 * @param rule how caps are computed
 * @param interval between rounds
 * @param window that a round looks at
 * @param headroom added to the observed p95, as a ratio: 0.2 for 20 %
 * @param minSamples calls a stage needs in the window
 * @param maxStepUp largest rise of a cap in one move, as a ratio
 * @param maxStepDown largest fall of a cap in one move, as a ratio
 * @param deadBand smaller changes of every cap are not worth a move, as a ratio
 * @param cooldown the least time between moves
 * @param maxMovesPerHour more moves than this are not made within an hour
 * @param missRatio share of missed answers that is acceptable, 0 to 1
 * @param capRanges what each stage's cap may be, by stage name
 */
public record RebalancePolicy(
    Mode mode,
    Rule rule,
    Duration interval,
    Duration window,
    double headroom,
    int minSamples,
    double maxStepUp,
    double maxStepDown,
    double deadBand,
    Duration cooldown,
    int maxMovesPerHour,
    double missRatio,
    Map<String, CapRange> capRanges) {
  private static final int SECONDS_PER_HOUR = 3_600;

  public RebalancePolicy {
    capRanges = Map.copyOf(capRanges);
  }

  /** As many moves an hour as the cooldown allows. */
  public RebalancePolicy(
      Mode mode,
      Rule rule,
      Duration interval,
      Duration window,
      double headroom,
      int minSamples,
      double maxStepUp,
      double maxStepDown,
      double deadBand,
      Duration cooldown,
      double missRatio,
      Map<String, CapRange> capRanges) {
    this(
        mode,
        rule,
        interval,
        window,
        headroom,
        minSamples,
        maxStepUp,
        maxStepDown,
        deadBand,
        cooldown,
        movesPerHour(cooldown),
        missRatio,
        capRanges);
  }

  /** What a cooldown allows, at least one: 3600 s / cooldown. */
  public static int movesPerHour(Duration cooldown) {
    long seconds = Math.max(1, cooldown.toSeconds());
    return (int) Math.max(1, SECONDS_PER_HOUR / seconds);
  }

  /** Whether decisions are carried out. */
  public enum Mode {
    AUTO("Auto"),
    RECOMMEND("Recommend"),
    DISABLED("Disabled");

    private final String label;

    Mode(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** How caps are computed. */
  public enum Rule {
    P95_HEADROOM("P95Headroom"),
    MAX_QUALITY("MaxQuality");

    private final String label;

    Rule(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** The lowest and highest cap that rebalancing may set. */
  public record CapRange(Duration min, Duration max) {
    /** Nothing but one cap. */
    public boolean pinned() {
      return min.equals(max);
    }

    /** The cap of the range that is nearest to one. */
    public Duration nearest(Duration cap) {
      Duration atLeast = cap.compareTo(min) < 0 ? min : cap;
      return atLeast.compareTo(max) > 0 ? max : atLeast;
    }
  }
}
