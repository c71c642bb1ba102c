package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BudgetHeadersTest {
  private static final String OWN = "x-rag-budget-ms";
  private static final String GRPC = "grpc-timeout";
  private static final String ENVOY = "x-envoy-expected-rq-timeout-ms";

  static Stream<Arguments> cases() {
    return Stream.of(
        readable("nothing said", Map.of(), null),
        readable("milliseconds", Map.of(OWN, "1500"), 1_500_000_000L),
        readable("milliseconds with blanks around", Map.of(OWN, " 15 "), 15_000_000L),
        readable("nothing left", Map.of(OWN, "0"), 0L),
        readable("gRPC hours", Map.of(GRPC, "1H"), 3_600_000_000_000L),
        readable("gRPC minutes", Map.of(GRPC, "2M"), 120_000_000_000L),
        readable("gRPC seconds", Map.of(GRPC, "3S"), 3_000_000_000L),
        readable("gRPC milliseconds", Map.of(GRPC, "4m"), 4_000_000L),
        readable("gRPC microseconds", Map.of(GRPC, "5u"), 5_000L),
        readable("gRPC nanoseconds", Map.of(GRPC, "6n"), 6L),
        readable("gRPC's longest", Map.of(GRPC, "99999999H"), Long.MAX_VALUE),
        readable("Envoy's", Map.of(ENVOY, "700"), 700_000_000L),
        readable(
            "all three, the smallest wins",
            Map.of(OWN, "900", GRPC, "800m", ENVOY, "1000"),
            800_000_000L),
        ignored("a word", Map.of(OWN, "soon"), OWN),
        ignored("a negative number", Map.of(OWN, "-5"), OWN),
        ignored("decimals", Map.of(OWN, "1.5"), OWN),
        ignored("a unit where none belongs", Map.of(OWN, "5ms"), OWN),
        ignored("an empty value", Map.of(OWN, ""), OWN),
        ignored("more digits than any budget", Map.of(OWN, "12345678901"), OWN),
        ignored("gRPC without a unit", Map.of(GRPC, "5"), GRPC),
        ignored("gRPC with nine digits", Map.of(GRPC, "123456789m"), GRPC),
        ignored("gRPC with a unit it does not have", Map.of(GRPC, "5s"), GRPC),
        Arguments.of(
            "a malformed one beside a good one",
            Map.of(OWN, "x", GRPC, "1S"),
            1_000_000_000L,
            OWN));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void the_callers_remaining_time_is_read(
      String name, Map<String, String> headers, @Nullable Long nanos, @Nullable String ignored) {
    assertThat(BudgetHeaders.read(header -> Optional.ofNullable(headers.get(header))))
        .isEqualTo(new BudgetHeaders.Caller(nanos, ignored == null ? List.of() : List.of(ignored)));
  }

  private static Arguments readable(
      String name, Map<String, String> headers, @Nullable Long nanos) {
    return Arguments.of(name, headers, nanos, null);
  }

  private static Arguments ignored(String name, Map<String, String> headers, String header) {
    return Arguments.of(name, headers, null, header);
  }
}
