package dev.ragjourney.prometheus;

import static dev.ragjourney.prometheus.RangeQueryServer.EMPTY;
import static dev.ragjourney.prometheus.RangeQueryServer.json;
import static dev.ragjourney.prometheus.RangeQueryServer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The source against a server that misbehaves. */
class PrometheusLatencySourceIT {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.250Z");
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Set<JourneyId> ONE = Set.of(new JourneyId("shop", "faq"));

  private final RangeQueryServer server = new RangeQueryServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_round_asks_three_times_for_whole_slices_up_to_now() {
    assertThat(read(server.settings())).isInstanceOf(LatencyReading.Measured.class);

    assertThat(server.forms())
        .hasSize(3)
        .allSatisfy(
            form ->
                assertThat(form)
                    .contains("&start=1772364900.250&")
                    .contains("end=1772366400.250&")
                    .contains("&step=300.000&timeout=20000ms"));
    assertThat(server.authorizations()).containsOnly("none");
  }

  @Test
  void a_rotated_token_is_sent_from_the_next_reading_on(@TempDir Path directory)
      throws IOException {
    Path token = directory.resolve("token");
    Files.writeString(token, "one\n");
    try (PrometheusLatencySource source =
        new PrometheusLatencySource(server.settings().withBearerTokenFile(token))) {
      source.read(NOW, WINDOW, INTERVAL, ONE);
      Files.writeString(token, "two\n");
      source.read(NOW, WINDOW, INTERVAL, ONE);
    }

    assertThat(server.authorizations())
        .containsExactly(
            "Bearer one", "Bearer one", "Bearer one", "Bearer two", "Bearer two", "Bearer two");
  }

  @Test
  void a_missing_token_file_is_told_and_nothing_is_sent() {
    assertThat(failure(server.settings().withBearerTokenFile(Path.of("/nowhere/token"))))
        .isEqualTo("the token file /nowhere/token cannot be read");
    assertThat(server.forms()).isEmpty();
  }

  @Test
  void a_token_of_two_lines_is_told_without_repeating_it(@TempDir Path directory)
      throws IOException {
    Path token = directory.resolve("token");
    Files.writeString(token, "sec\nret");

    assertThat(failure(server.settings().withBearerTokenFile(token)))
        .isEqualTo("the token in " + token + " is not one line of text");
  }

  @Test
  void a_ca_file_without_a_certificate_is_told(@TempDir Path directory) throws IOException {
    Path ca = directory.resolve("ca.pem");
    Files.writeString(ca, "");

    assertThat(failure(server.settings().withCaFile(ca)))
        .isEqualTo("the certificates in " + ca + " cannot be used: no certificate in it");
  }

  @Test
  void series_are_taken_while_the_answer_is_still_being_written() throws Exception {
    CountDownLatch taken = new CountDownLatch(50);
    AtomicBoolean early = new AtomicBoolean();
    String series = ",{\"metric\":{},\"values\":[[1,\"2\"]]}".repeat(400);
    server.answers(
        exchange -> {
          exchange.getResponseHeaders().add("content-type", "application/json");
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          body.write(
              ("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{}"
                      + series)
                  .getBytes(StandardCharsets.UTF_8));
          body.flush();
          early.set(inTime(taken, 10_000));
          body.write("]}}".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });

    try (QueryApi api = new QueryApi(server.settings().withTimeout(Duration.ofSeconds(20)))) {
      api.query("x", new QueryApi.Range(NOW, NOW, INTERVAL), (_, _, _) -> taken.countDown());
    }

    assertThat(early).isTrue();
  }

  @Test
  void a_rotated_password_is_sent_from_the_next_reading_on(@TempDir Path directory)
      throws IOException {
    Path user = Files.writeString(directory.resolve("username"), "scraper\n");
    Path password = Files.writeString(directory.resolve("password"), "one:1");
    PrometheusSettings basic =
        server.settings().withBasicAuth(new PrometheusSettings.BasicAuth(user, password));
    try (PrometheusLatencySource source = new PrometheusLatencySource(basic)) {
      source.read(NOW, WINDOW, INTERVAL, ONE);
      Files.writeString(password, "zwei-ä\n");
      source.read(NOW, WINDOW, INTERVAL, ONE);
    }

    assertThat(server.authorizations())
        .containsOnly("Basic " + base64("scraper:one:1"), "Basic " + base64("scraper:zwei-ä"))
        .hasSize(6);
  }

  @Test
  void a_refused_password_is_told_with_its_files_and_without_repeating_it(@TempDir Path directory)
      throws IOException {
    Path user = Files.writeString(directory.resolve("username"), "scraper");
    Path password = Files.writeString(directory.resolve("password"), "secret");
    server.answers(exchange -> text(exchange, 401, "text/plain", "no"));

    assertThat(
            failure(
                server.settings().withBasicAuth(new PrometheusSettings.BasicAuth(user, password))))
        .endsWith(
            "status 401; are the user name in %s and the password in %s right?"
                .formatted(user, password))
        .doesNotContain("secret");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean inTime(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void a_refused_token_is_told() {
    server.answers(exchange -> text(exchange, 403, "text/plain", "no"));

    assertThat(failure(server.settings()))
        .endsWith(
            "/prefix/api/v1/query_range answers with status 403; no token and"
                + " no password file is configured");
  }

  @Test
  void a_redirect_is_not_followed() {
    server.answers(
        exchange -> {
          exchange.getResponseHeaders().add("location", "http://127.0.0.1:1/");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });

    assertThat(failure(server.settings())).endsWith("answers with status 302");
  }

  @Test
  void a_web_page_is_no_answer() {
    server.answers(exchange -> text(exchange, 200, "text/html", "<html>"));

    assertThat(failure(server.settings()))
        .endsWith("answers with content type 'text/html' instead of application/json");
  }

  @Test
  void the_servers_own_words_are_told_with_the_query() {
    server.answers(
        exchange ->
            json(
                exchange,
                422,
                "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"too many samples\"}"));

    assertThat(failure(server.settings()))
        .startsWith("the server says execution: too many samples; the query was: label_replace(")
        .contains("rag_stage_duration_seconds_bucket{variant=\"v0\"");
  }

  @Test
  void an_answer_that_is_too_long_is_broken_off() {
    assertThat(failure(server.settings().withMaxResponseBytes(20)))
        .endsWith("the answer is longer than 20 bytes");
  }

  @Test
  void a_server_that_never_answers_costs_the_configured_time_and_no_more() {
    server.answers(_ -> server.hang());

    bounded("did not answer within 400 ms");
  }

  @Test
  void a_server_that_hangs_in_the_body_costs_the_configured_time_and_no_more() {
    server.answers(
        exchange -> {
          exchange.getResponseHeaders().add("content-type", "application/json");
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("{\"status\":".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          server.hang();
        });

    bounded("did not answer within 400 ms");
  }

  @Test
  void one_failed_query_fails_the_reading() {
    server.answers(
        exchange -> {
          boolean last =
              server.forms().stream().anyMatch(form -> form.contains("rag_journey_answers"));
          json(exchange, last ? 500 : 200, last ? "{\"status\":\"error\"}" : EMPTY);
        });

    assertThat(read(server.settings())).isInstanceOf(LatencyReading.Unavailable.class);
  }

  private void bounded(String message) {
    long begin = System.nanoTime();
    assertThat(read(server.settings().withTimeout(Duration.ofMillis(400)), INTERVAL))
        .isInstanceOfSatisfying(
            LatencyReading.Unavailable.class,
            failed ->
                assertThat(failed.message())
                    .contains(message + "; the query was: label_replace(")
                    .contains("rag_stage_duration_seconds_bucket{variant=\"v0\""));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
  }

  private static LatencyReading read(PrometheusSettings settings) {
    return read(settings, INTERVAL);
  }

  private static LatencyReading read(PrometheusSettings settings, Duration interval) {
    return read(settings, interval, ONE);
  }

  private static LatencyReading read(
      PrometheusSettings settings, Duration interval, Set<JourneyId> journeys) {
    try (PrometheusLatencySource source = new PrometheusLatencySource(settings)) {
      return source.read(NOW, WINDOW, interval, journeys);
    }
  }

  private static String failure(PrometheusSettings settings) {
    LatencyReading reading = read(settings);
    assertThat(reading).isInstanceOf(LatencyReading.Unavailable.class);
    LatencyReading.Unavailable failed = (LatencyReading.Unavailable) reading;
    assertThat(failed.reason()).isEqualTo(Reasons.QUERY_FAILED);
    return failed.message();
  }
}
