package dev.ragjourney.backends.http;

import java.time.Duration;
import java.util.Arrays;

/**
 * Prints how long after a cut the server sees the connection closed, beside what a bare socket
 * takes on the same machine at the same time.
 */
final class CloseLatencyBenchmark {
  private static final int WARM_UP = 200;

  private CloseLatencyBenchmark() {}

  public static void main(String... arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
    System.out.printf("%-42s %-13s %8s %8s %8s%n", "scene", "cut by", "p50 ms", "p95 ms", "p99 ms");
    try (FarEnd farEnd = new FarEnd()) {
      long[] bare = new long[WARM_UP + rounds];
      for (int i = 0; i < bare.length; i++) {
        bare[i] = farEnd.timeToCloseSocket().toNanos();
      }
      tell("a bare socket", "close()", Arrays.copyOfRange(bare, WARM_UP, bare.length));
      for (FarEnd.Scene scene : FarEnd.Scene.values()) {
        for (FarEnd.Cut cut : FarEnd.Cut.values()) {
          farEnd.timesToClose(scene, cut, WARM_UP);
          long[] nanos = new long[rounds];
          Arrays.setAll(nanos, i -> farEnd.timeToClose(scene, cut).toNanos());
          tell(scene.toString(), cut.toString(), nanos);
        }
      }
    }
  }

  private static void tell(String scene, String cut, long[] nanos) {
    System.out.printf("%-42s %-13s", scene, cut);
    for (Duration each : FarEnd.quantiles(nanos, 0.5, 0.95, 0.99)) {
      System.out.printf(" %8.2f", each.toNanos() / 1e6);
    }
    System.out.println();
  }
}
