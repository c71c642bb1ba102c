package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.rebalance.JourneyId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator's log as a log store gets it. */
class LogContextIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.ragjourney.operator");
  private final Lines lines = new Lines();
  private final OperatorHarness operator = new OperatorHarness();

  @BeforeEach
  void listen() {
    lines.setContext(logger.getLoggerContext());
    lines.encoder.setContext(logger.getLoggerContext());
    lines.encoder.start();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.close();
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void a_line_about_a_journey_carries_its_names_and_the_revision_of_its_plan() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () ->
                assertThat(lines.of("RagJourneyReconciler"))
                    .isNotEmpty()
                    .allSatisfy(
                        line -> {
                          assertThat(line.at("/mdc/namespace").asText()).isEqualTo("default");
                          assertThat(line.at("/mdc/journey").asText()).isEqualTo("faq");
                          assertThat(line.at("/mdc/revision").asText()).isEqualTo("1");
                        }));
  }

  @Test
  void a_line_about_none_carries_nothing_of_the_one_before() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    operator.quiet();

    try (var _ = LogContext.of(new JourneyId("a", "b"), 7)) {
      logger.info("within");
    }
    logger.info("after");

    JsonNode within = lines.saying("within");
    assertThat(within.at("/mdc/journey").asText()).isEqualTo("b");
    assertThat(within.at("/mdc/revision").asText()).isEqualTo("7");
    assertThat(lines.saying("after").path("mdc")).isEmpty();
  }

  @Test
  void an_attempt_that_the_api_server_failed_is_one_line_without_a_stack_and_its_cause_is_told() {
    Logger framework =
        (Logger)
            LoggerFactory.getLogger("io.javaoperatorsdk.operator.processing.event.EventProcessor");
    framework.addAppender(lines);
    try {
      operator.server.refuse("ServiceAccount", 500, "etcd has no leader");
      operator.apply(MINIMAL);
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(lines.withThrowable("EventProcessor")).isNotEmpty());
    } finally {
      framework.detachAppender(lines);
    }
    assertThat(lines.withThrowable("EventProcessor"))
        .allSatisfy(
            line -> {
              assertThat(line.at("/throwable/message").asText()).contains("etcd has no leader");
              assertThat(line.at("/throwable/stepArray")).isEmpty();
              assertThat(line.at("/throwable/cause").isMissingNode()).isTrue();
            });
    assertThat(lines.withThrowable("RagJourneyReconciler"))
        .as("with the stack for who asks for it")
        .anySatisfy(line -> assertThat(line.at("/throwable/stepArray")).isNotEmpty());
  }

  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final JsonEncoder encoder = new JsonEncoder();
    private final List<JsonNode> written = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      try {
        written.add(JSON.readTree(encoder.encode(event)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    List<JsonNode> of(String type) {
      return written.stream()
          .filter(line -> line.path("loggerName").asText().endsWith(type))
          .filter(line -> line.path("message").asText().startsWith("reconciled"))
          .toList();
    }

    List<JsonNode> withThrowable(String type) {
      return written.stream()
          .filter(line -> line.path("loggerName").asText().endsWith(type))
          .filter(line -> line.path("throwable").isObject())
          .toList();
    }

    JsonNode saying(String message) {
      return written.stream()
          .filter(line -> line.path("message").asText().equals(message))
          .findFirst()
          .orElseThrow();
    }
  }
}
