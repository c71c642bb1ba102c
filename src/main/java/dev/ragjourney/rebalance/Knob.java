package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.StageModel.Range;

/**
 * One stage's cap or hold-back.
 *
 * @param cap the cap, not the hold-back
 */
record Knob(int step, int stage, boolean cap, Range range) {
  int value(Settings settings) {
    return cap ? settings.cap(stage) : settings.hold(stage);
  }

  Settings set(Settings settings, int value) {
    return cap ? settings.withCap(stage, value) : settings.withHold(stage, value);
  }
}
