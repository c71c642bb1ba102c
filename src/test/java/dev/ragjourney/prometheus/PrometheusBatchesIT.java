package dev.ragjourney.prometheus;

import static dev.ragjourney.prometheus.RangeQueryServer.EMPTY;
import static dev.ragjourney.prometheus.RangeQueryServer.form;
import static dev.ragjourney.prometheus.RangeQueryServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many journeys, asked for in batches. */
class PrometheusBatchesIT {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.250Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final String MEASURED =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
          + Stream.of("journey-001", "journey-119")
              .map(
                  name ->
                      "{\"metric\":{\"journey\":\"%s\",\"stage\":\"search\",\"rag_kind\":\"errors\"},\"values\":[[1772366400.25,\"2\"]]}"
                          .formatted(name))
              .collect(Collectors.joining(","))
          + "]}}";
  private static final Pattern NAME = Pattern.compile("journey-[0-9]{3}");

  private final RangeQueryServer server = new RangeQueryServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_failed_batch_costs_its_own_journeys_alone() {
    Set<JourneyId> journeys = journeys(120);
    server.answers(
        exchange -> {
          boolean refused = form().contains("journey-077");
          json(exchange, refused ? 500 : 200, refused ? "{\"status\":\"error\"}" : MEASURED);
        });

    LatencyReading reading = read(server.settings(), INTERVAL, journeys);

    assertThat(reading.about(new JourneyId("shop", "journey-077")))
        .isInstanceOfSatisfying(
            LatencyReading.Unavailable.class,
            failed -> assertThat(failed.reason()).isEqualTo(Reasons.QUERY_FAILED));
    assertThat(journeys.stream().map(reading::about).distinct())
        .filteredOn(LatencyReading.Unavailable.class::isInstance)
        .hasSize(1);
    for (String name : List.of("journey-001", "journey-119")) {
      JourneyId id = new JourneyId("shop", name);
      assertThat(reading.about(id))
          .isInstanceOfSatisfying(
              LatencyReading.Measured.class, one -> assertThat(one.journeys()).containsKey(id));
    }
  }

  @Test
  void at_most_fifty_journeys_are_in_a_query_and_two_queries_are_asked_at_a_time() {
    AtomicInteger order = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(1);
    CountDownLatch firstDone = new CountDownLatch(1);
    AtomicBoolean early = new AtomicBoolean();
    server.answers(
        exchange -> {
          switch (order.incrementAndGet()) {
            case 1 -> {
              early.set(inTime(third, 300));
              firstDone.countDown();
            }
            case 2 -> inTime(firstDone, 10_000);
            default -> third.countDown();
          }
          json(exchange, 200, EMPTY);
        });

    read(server.settings(), INTERVAL, journeys(220));

    assertThat(server.forms())
        .hasSize(5 * 3)
        .allSatisfy(
            form ->
                assertThat(NAME.matcher(form).results().map(MatchResult::group).distinct().count())
                    .isBetween(1L, 50L));
    assertThat(early).isFalse();
  }

  @Test
  void what_was_not_asked_when_the_time_of_the_round_is_over_has_failed() {
    server.answers(_ -> server.hang());
    long begin = System.nanoTime();

    LatencyReading reading =
        read(
            server.settings().withTimeout(Duration.ofMillis(500)),
            Duration.ofSeconds(1),
            journeys(1_000));

    assertThat(reading).isInstanceOf(LatencyReading.Unavailable.class);
    assertThat(server.forms()).hasSizeLessThanOrEqualTo(4);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
  }

  private static Set<JourneyId> journeys(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new JourneyId("shop", "journey-%03d".formatted(i)))
        .collect(Collectors.toSet());
  }

  private static boolean inTime(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static LatencyReading read(
      PrometheusSettings settings, Duration interval, Set<JourneyId> journeys) {
    try (PrometheusLatencySource source = new PrometheusLatencySource(settings)) {
      return source.read(NOW, WINDOW, interval, journeys);
    }
  }
}
