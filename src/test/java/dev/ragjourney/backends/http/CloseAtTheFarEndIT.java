package dev.ragjourney.backends.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bound is generous on purpose; {@link CloseLatencyBenchmark} has the figures. */
class CloseAtTheFarEndIT {
  private static final int ROUNDS = 5;
  private static final Duration BOUND = Duration.ofSeconds(2);

  private static FarEnd farEnd;

  @BeforeAll
  static void start() throws Exception {
    farEnd = new FarEnd();
  }

  @AfterAll
  static void stop() throws Exception {
    farEnd.close();
  }

  @ParameterizedTest(name = "{0}, cut by {1}, is closed at the server''s end")
  @MethodSource("scenes")
  void closing(FarEnd.Scene scene, FarEnd.Cut cut) {
    assertThat(farEnd.timeToClose(scene, cut, ROUNDS, 1)).isLessThan(BOUND);
    await().until(() -> farEnd.connectionsOpen() == 0);
  }

  static Stream<Arguments> scenes() {
    return Arrays.stream(FarEnd.Scene.values())
        .flatMap(scene -> Arrays.stream(FarEnd.Cut.values()).map(cut -> Arguments.of(scene, cut)));
  }
}
