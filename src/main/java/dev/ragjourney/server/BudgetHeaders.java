package dev.ragjourney.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a caller says is left of its own budget. */
final class BudgetHeaders {
  static final String OWN = "x-rag-budget-ms";
  static final String GRPC = "grpc-timeout";
  static final String ENVOY = "x-envoy-expected-rq-timeout-ms";

  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,10}");

  /** As gRPC spells it: at most eight digits and a unit. */
  private static final Pattern GRPC_TIMEOUT = Pattern.compile("([0-9]{1,8})([HMSmun])");

  /**
   * @param remainingNanos the smallest of all; null where the caller said nothing that can be read
   * @param ignored names of headers that could not be read
   */
  record Caller(@Nullable Long remainingNanos, List<String> ignored) {
    Caller {
      ignored = List.copyOf(ignored);
    }
  }

  private BudgetHeaders() {}

  static Caller read(Function<String, Optional<String>> headers) {
    List<String> ignored = new ArrayList<>();
    Long smallest = null;
    for (String name : List.of(OWN, GRPC, ENVOY)) {
      Optional<String> value = headers.apply(name);
      if (value.isEmpty()) {
        continue;
      }
      String text = value.get().strip();
      OptionalLong nanos = name.equals(GRPC) ? grpc(text) : millis(text);
      if (nanos.isEmpty()) {
        ignored.add(name);
      } else if (smallest == null || nanos.getAsLong() < smallest) {
        smallest = nanos.getAsLong();
      }
    }
    return new Caller(smallest, ignored);
  }

  private static OptionalLong millis(String text) {
    return MILLIS.matcher(text).matches()
        ? OptionalLong.of(Long.parseLong(text) * 1_000_000L)
        : OptionalLong.empty();
  }

  private static OptionalLong grpc(String text) {
    Matcher matcher = GRPC_TIMEOUT.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return OptionalLong.of(
        switch (matcher.group(2)) {
          case "H" -> saturated(number);
          case "M" -> number * 60_000_000_000L;
          case "S" -> number * 1_000_000_000L;
          case "m" -> number * 1_000_000L;
          case "u" -> number * 1_000L;
          default -> number;
        });
  }

  /** Hours are the one unit whose eight digits do not fit: 99,999,999 h are 11,415 years. */
  private static long saturated(long hours) {
    long nanosPerHour = 3_600_000_000_000L;
    return hours > Long.MAX_VALUE / nanosPerHour ? Long.MAX_VALUE : hours * nanosPerHour;
  }
}
