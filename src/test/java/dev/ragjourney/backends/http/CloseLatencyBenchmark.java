package dev.ragjourney.backends.http;

import java.time.Duration;

/** Prints how long after a cut the server sees the connection closed. */
final class CloseLatencyBenchmark {
  private static final int WARM_UP = 200;

  private CloseLatencyBenchmark() {}

  public static void main(String... arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
    System.out.printf("%-42s %-13s %8s %8s %8s%n", "scene", "cut by", "p50 ms", "p95 ms", "p99 ms");
    try (FarEnd farEnd = new FarEnd()) {
      for (FarEnd.Scene scene : FarEnd.Scene.values()) {
        for (FarEnd.Cut cut : FarEnd.Cut.values()) {
          farEnd.timeToClose(scene, cut, WARM_UP, 0.5);
          System.out.printf("%-42s %-13s", scene, cut);
          Duration[] of = farEnd.timesToClose(scene, cut, rounds, 0.5, 0.95, 0.99);
          for (Duration each : of) {
            System.out.printf(" %8.2f", each.toNanos() / 1e6);
          }
          System.out.println();
        }
      }
    }
  }
}
