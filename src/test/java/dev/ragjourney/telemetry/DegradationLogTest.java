package dev.ragjourney.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DegradationLogTest {
  private static final Plan PLAN = SamplePlans.smallest();

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final Logger logger = context.getLogger("degradation");
  private final DegradationLog log = new DegradationLog(logger);

  @BeforeEach
  void attach() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    logged.start();
    logger.addAppender(logged);
    logger.setLevel(Level.INFO);
  }

  @Test
  void a_degraded_answer_is_one_json_line_with_its_trigger_and_never_the_question()
      throws Exception {
    log.journeyEnded(
        Events.route(PLAN), Events.question(null), Events.answer(Outcome.DEGRADED, 1, "fast"));
    assertThat(logged.list).hasSize(1);
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.start();
    String line =
        new String(encoder.encode(logged.list.getFirst()), StandardCharsets.UTF_8).strip();
    assertThat(line).doesNotContain("\n").doesNotContain("secret");
    JsonNode pairs = new ObjectMapper().readTree(line).path("kvpList");
    assertThat(pairs.findValuesAsText("stage")).containsExactly("rerank");
    assertThat(pairs.findValuesAsText("reason")).containsExactly("timeout");
    assertThat(pairs.findValuesAsText("levelName")).containsExactly("fast");
    assertThat(pairs.findValuesAsText("remainingMs")).containsExactly("2400");
    assertThat(pairs.findValuesAsText("totalMs")).containsExactly("600");
    assertThat(pairs.findValuesAsText("percentConsumed")).containsExactly("20");
    assertThat(pairs.findValuesAsText("traceId")).containsExactly("trace-1");
  }

  @Test
  void a_full_answer_is_not_logged() {
    log.journeyEnded(
        Events.route(PLAN), Events.question(null), Events.answer(Outcome.FULL, 0, "full"));
    assertThat(logged.list).isEmpty();
  }
}
