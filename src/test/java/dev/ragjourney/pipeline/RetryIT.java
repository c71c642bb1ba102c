package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.backends.http.HttpBackend;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.backends.openai.OpenAiBackend;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.Questions;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.Fault.Kind;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts, retries and second copies as a backend sees them: requests counted at its socket. */
@Timeout(60)
class RetryIT {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path secrets;

  private final RealMachinery machinery = new RealMachinery();
  private final Recording told = new Recording();
  private final JourneyRunner runner = new JourneyRunner(machinery, told);
  private ScriptedBackend server;
  private RemoteBackend docs;
  private RemoteBackend llm;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    docs = HttpBackend.open(Backends.plan("docs", "http", server.url("/http/search")), secrets);
    llm =
        OpenAiBackend.open(
            Backends.plan("llm", "openai", server.url("/v1"), "model", "small"), secrets);
  }

  @AfterEach
  void nothing_is_left_behind() throws IOException {
    await().until(() -> machinery.wheel().armed() == 0);
    await().untilAsserted(() -> assertThat(runner.load().inFlight().values()).containsOnly(0));
    docs.close();
    llm.close();
    server.close();
    machinery.close();
  }

  private Answer ask(Route route) throws Exception {
    return runner.run(
        route,
        Questions.asked(machinery.time().nanos(), null, false),
        text -> {},
        Cancellation.NONE);
  }

  private Route searching(StageDraft stage) {
    return Routes.of(BudgetDraft.of("20s").stages(stage, generate().floor("1s")))
        .form("search", Routes.topK(Routes.form("docs", docs.port(StageType.SEARCH)), 3))
        .port(
            "generate",
            (Generator)
                (call, prompt, sink) -> {
                  sink.accept("Well.");
                  return new Completion("stop", null, null);
                })
        .limit("docs", 4)
        .route();
  }

  private static StageDraft retried() {
    return search().cap("10s").retry("10ms", "20ms", "5s", "4s");
  }

  @Test
  void a_reset_is_followed_by_a_second_request_that_is_answered() throws Exception {
    server.script("search", Behaviour.PLAIN.with(Fault.always(Kind.RESET).withTimes(1)));

    Answer answer = ask(searching(retried()));

    assertThat(server.exchanges())
        .extracting(Exchange::ending)
        .containsExactly(Exchange.Ending.BROKEN_BY_SERVER, Exchange.Ending.ANSWERED);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(told.callsOf("search"))
        .extracting(c -> c.role().label() + " " + c.outcome().label())
        .containsExactly("primary error", "retry success");
  }

  @Test
  void resets_without_end_are_met_with_the_declared_attempts_and_not_one_more() throws Exception {
    server.script("search", Behaviour.faulty(Kind.RESET));

    Answer answer = ask(searching(retried()));

    assertThat(server.exchanges()).hasSize(2);
    assertThat(answer.noContext()).isTrue();
  }

  @Test
  void a_stage_without_retries_makes_one_request_whatever_happens() throws Exception {
    server.script("search", Behaviour.faulty(Kind.RESET));

    ask(searching(search().cap("10s")));

    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 500, 501})
  void a_status_that_another_attempt_would_not_cure_is_one_request(int status) throws Exception {
    server.script("search", Behaviour.status(status));

    ask(searching(retried()));

    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 503, 504})
  void a_status_that_another_attempt_may_cure_is_two_requests(int status) throws Exception {
    server.script("search", Behaviour.PLAIN.with(Fault.status(status).withTimes(1)));

    assertThat(ask(searching(retried())).outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(server.exchanges()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"ERROR_SHAPED_200", "GARBAGE", "TRUNCATED_JSON", "NOT_A_NUMBER"})
  void an_answer_that_makes_no_sense_is_one_request(Kind nonsense) throws Exception {
    server.script("search", Behaviour.faulty(nonsense));

    ask(searching(retried()));

    assertThat(server.exchanges()).hasSize(1);
  }

  @Test
  void a_second_that_the_backend_asks_for_is_waited() throws Exception {
    server.script("search", Behaviour.PLAIN.with(Fault.status(429, 1).withTimes(1)));

    Answer answer = ask(searching(retried()));

    List<Exchange> both = server.exchanges();
    assertThat(both).hasSize(2);
    assertThat(both.getLast().receivedNanos() - both.getFirst().endedNanos())
        .isGreaterThanOrEqualTo(SECOND);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void a_minute_that_the_backend_asks_for_does_not_fit_and_nobody_waits() throws Exception {
    server.script("search", Behaviour.PLAIN.with(Fault.status(503, 60)));

    Answer answer = ask(searching(retried()));

    assertThat(server.exchanges()).hasSize(1);
    assertThat(answer.latencyNanos()).isLessThan(5 * SECOND);
  }

  @Test
  void a_silent_backend_has_its_connection_closed_at_the_attempts_cap_and_is_not_asked_again()
      throws Exception {
    server.script("search", Behaviour.faulty(Kind.HANG_BEFORE_HEADERS));

    Answer answer = ask(searching(search().cap("10s").retry("10ms", "20ms", "300ms", "300ms")));

    assertThat(answer.noContext()).isTrue();
    await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
    assertThat(server.onlyExchange().lasted()).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void the_copy_that_loses_has_its_connection_closed_at_the_far_end() throws Exception {
    server.script(
        "search", Behaviour.PLAIN.with(Fault.always(Kind.HANG_BEFORE_HEADERS).withTimes(1)));

    Answer answer = ask(searching(search().cap("10s").hedge("200ms", 4, 1)));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(server.exchanges()).hasSize(2);
    await()
        .untilAsserted(
            () ->
                assertThat(server.exchanges())
                    .extracting(Exchange::ending)
                    .containsExactly(Exchange.Ending.CLOSED_BY_CLIENT, Exchange.Ending.ANSWERED));
    assertThat(told.hedges).containsExactly("search won");
  }

  private Route writing() {
    return Routes.of(
            BudgetDraft.of("20s").stages(generate().floor("1s").retry("10ms", "20ms", "8s", "8s")))
        .form("generate", Routes.form("llm", llm.port(StageType.GENERATE)))
        .limit("llm", 4)
        .route();
  }

  @Test
  void a_model_that_breaks_off_before_its_first_token_is_asked_again() throws Exception {
    server.script("chat", Behaviour.PLAIN.with(Fault.always(Kind.RESET).withTimes(1)));

    assertThat(ask(writing()).outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(server.exchanges()).hasSize(2);
  }

  @Test
  void a_model_that_breaks_off_after_its_first_token_is_not() throws Exception {
    server.script("chat", Behaviour.faulty(Kind.ERROR_IN_STREAM));

    ask(writing());

    assertThat(server.exchanges()).hasSize(1);
  }
}
