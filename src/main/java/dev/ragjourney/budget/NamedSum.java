package dev.ragjourney.budget;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A sum of times, each with its name, written like {@code 3.0 + 0.5 + 3.0 + 1.2 = 7.7 s}. */
final class NamedSum {
  private record Term(String name, Duration time) {}

  private final List<Term> terms = new ArrayList<>();

  /** Nothing is added for no time. */
  NamedSum plus(String name, Duration time) {
    if (time.isPositive()) {
      terms.add(new Term(name, time));
    }
    return this;
  }

  NamedSum plus(NamedSum other) {
    terms.addAll(other.terms);
    return this;
  }

  Duration total() {
    return terms.stream().map(Term::time).reduce(Duration.ZERO, Duration::plus);
  }

  /** {@code 3.0 + 0.5 = 3.5 s}. */
  String arithmetic() {
    String sum = terms.stream().map(t -> seconds(t.time(), 1)).collect(Collectors.joining(" + "));
    return (terms.size() > 1 ? sum + " = " : "") + seconds(total(), 1) + " s";
  }

  /** {@code (search + generate)}. */
  String names() {
    return terms.stream().map(Term::name).collect(Collectors.joining(" + ", "(", ")"));
  }

  /** Seconds without a unit, like {@code 5}. */
  static String seconds(Duration time) {
    return seconds(time, 0);
  }

  private static String seconds(Duration time, int leastDecimals) {
    BigDecimal seconds = BigDecimal.valueOf(time.toNanos(), 9).stripTrailingZeros();
    return seconds.setScale(Math.max(leastDecimals, seconds.scale())).toPlainString();
  }
}
