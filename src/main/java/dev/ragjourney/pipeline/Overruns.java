package dev.ragjourney.pipeline;

/**
 * Where the budget is only observed: the time by which the stages so far went beyond what the rules
 * give. The rules are asked as if that time had been saved, so that one overrun is not counted
 * again at every later stage. On the journey's thread alone.
 */
final class Overruns {
  private long nanos;

  void add(long moreNanos) {
    nanos += Math.max(0, moreNanos);
  }

  long nanos() {
    return nanos;
  }
}
