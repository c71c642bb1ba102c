package dev.ragjourney.pipeline;

/** Nanoseconds that only grow. Never a time of day: only differences mean something. */
@FunctionalInterface
public interface MonotonicTime {
  long nanos();

  /** The machine's own monotonic clock. */
  static MonotonicTime system() {
    return System::nanoTime;
  }
}
