package dev.ragjourney.rebalance;

import java.util.Arrays;

/** A cap and a hold-back for each stage, in points of a grid. */
final class Settings {
  private final int[] caps;
  private final int[] holds;

  private Settings(int[] caps, int[] holds) {
    this.caps = caps;
    this.holds = holds;
  }

  static Settings of(int[] caps, int[] holds) {
    return new Settings(caps.clone(), holds.clone());
  }

  /** Caps as high and hold-backs as low as they may be. */
  static Settings loosest(JourneyModel model) {
    return new Settings(
        model.stages().stream().mapToInt(stage -> stage.caps().highest()).toArray(),
        model.stages().stream().mapToInt(stage -> stage.holds().lowest()).toArray());
  }

  int cap(int stage) {
    return caps[stage];
  }

  int hold(int stage) {
    return holds[stage];
  }

  /** What is kept for later stages at a level: below the first one hold-backs do not move. */
  int hold(int stage, int level, StageModel.AtLevel at) {
    return level == 0 ? holds[stage] : at.hold();
  }

  Settings withCap(int stage, int cap) {
    int[] changed = caps.clone();
    changed[stage] = cap;
    return new Settings(changed, holds);
  }

  Settings withHold(int stage, int hold) {
    int[] changed = holds.clone();
    changed[stage] = hold;
    return new Settings(caps, changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings settings
        && Arrays.equals(caps, settings.caps)
        && Arrays.equals(holds, settings.holds);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(caps) + Arrays.hashCode(holds);
  }

  @Override
  public String toString() {
    return "caps " + Arrays.toString(caps) + ", hold-backs " + Arrays.toString(holds);
  }
}
