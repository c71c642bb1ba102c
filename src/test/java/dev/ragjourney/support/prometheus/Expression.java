package dev.ragjourney.support.prometheus;

import java.util.List;
import java.util.regex.Pattern;

/** The part of PromQL that {@link LocalPrometheus} answers. */
sealed interface Expression {
  /** {@code name{matchers}[range]} under a function over time. */
  record OverTime(Function function, String metric, List<Matcher> matchers, long rangeMillis)
      implements Expression {}

  /** {@code name{matchers}}: the newest sample of every series. */
  record Newest(String metric, List<Matcher> matchers) implements Expression {}

  /** {@code timestamp(name{matchers})}: when that sample was taken, in seconds. */
  record Timestamp(Newest of) implements Expression {}

  /** {@code sum by (labels) (of)}. */
  record Aggregate(Aggregation aggregation, List<String> by, Expression of) implements Expression {}

  /** {@code label_replace(of, "to", "replacement", "from", "regex")}. */
  record LabelReplace(Expression of, String to, String replacement, String from, Pattern regex)
      implements Expression {}

  /** {@code of != value}. */
  record NotEqual(Expression of, double value) implements Expression {}

  /** All of the left one, and what the right one has besides. */
  record Or(Expression left, Expression right) implements Expression {}

  /** Functions of one series' samples in a range. */
  enum Function {
    INCREASE,
    RATE,
    MIN_OVER_TIME,
    MAX_OVER_TIME
  }

  /** Folds series of equal labels into one. */
  enum Aggregation {
    SUM,
    COUNT,
    MIN,
    MAX
  }

  /** {@code label=~"value"}; a label that is absent is empty. */
  record Matcher(String label, boolean equal, Pattern value) {
    boolean matches(String actual) {
      return value.matcher(actual).matches() == equal;
    }
  }
}
