package dev.ragjourney.prometheus;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a series of an answer is: a label that the queries add. */
enum Kind {
  LATENCY("latency"),
  LATE("late"),
  STARTED("started"),
  ERRORS("errors"),
  SKIPPED("skipped"),
  ANSWERS("answers"),
  FALLBACKS("fallbacks"),
  FALLBACK_LATENCY("fallback_latency"),
  LOWEST_CAP("lowest_cap"),
  HIGHEST_CAP("highest_cap"),
  /** Time of the newest sample, in seconds since 1970. */
  SCRAPED("scraped"),
  /** Ways in which one pod is labelled, where there is more than one. */
  DOUBLED("doubled"),
  DURATION("duration"),
  REMAINING("remaining");

  private static final Map<String, Kind> BY_LABEL =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(Kind::label, Function.identity()));

  private final String label;

  Kind(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  static Optional<Kind> of(String label) {
    return Optional.ofNullable(BY_LABEL.get(label));
  }
}
