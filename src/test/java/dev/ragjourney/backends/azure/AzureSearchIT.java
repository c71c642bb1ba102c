package dev.ragjourney.backends.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.support.AzurePlans;
import dev.ragjourney.support.CutCall;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls, cuts, keys and the time for the ranker, against a server that searches. */
class AzureSearchIT {
  @TempDir Path secrets;
  private ScriptedBackend server;
  private AzureSearchBackend backend;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    Files.createDirectories(secrets.resolve("azure"));
    Files.writeString(secrets.resolve("azure/key"), "sesame-1\n");
    backend =
        AzureSearchBackend.open(
            AzurePlans.search(server.url(""), "library", "semanticConfiguration", "s"), secrets);
  }

  @AfterEach
  void stop() throws IOException {
    backend.close();
    server.close();
  }

  @Test
  void passages_are_found_best_first() throws Exception {
    PassagesFound found = search(CutCall.unhurried());

    assertThat(found.passages()).hasSize(2);
    assertThat(found.passages().getFirst().text()).startsWith("The reading room opens at nine");
    assertThat(found.degradedReason()).isNull();
    assertThat(server.onlyExchange().path()).isEqualTo("/indexes/library/docs/search");
    assertThat(server.onlyExchange().header(":query")).isEqualTo("api-version=2024-07-01");
    assertThat(server.onlyExchange().headers()).containsKey("x-rag-remaining-ms");
    assertThat(server.onlyExchange().headers()).doesNotContainKey("authorization");
  }

  @Test
  void a_slow_plain_query_leaves_the_ranker_less_time_from_then_on() throws Exception {
    assertThat(search(CutCall.lasting(Duration.ofMillis(1300))).degradedReason()).isNull();
    server.script("*", Behaviour.delayed(600));
    assertThat(search(CutCall.lasting(Duration.ofMillis(790))).degradedReason())
        .isEqualTo("ranker_no_time");

    server.reset();

    assertThat(search(CutCall.lasting(Duration.ofMillis(1300))).degradedReason())
        .isEqualTo("ranker_no_time");
  }

  @Test
  void a_rotated_key_is_sent_without_a_restart() throws Exception {
    search(CutCall.unhurried());
    assertThat(server.onlyExchange().header("api-key")).isEqualTo("sesame-1");

    Files.writeString(secrets.resolve("azure/key"), "sesame-2");

    await()
        .until(
            () -> {
              search(CutCall.unhurried());
              return "sesame-2".equals(server.exchanges().getLast().header("api-key"));
            });
  }

  @Test
  void a_missing_key_is_named_by_secret_and_key_and_nothing_is_sent() throws Exception {
    Files.delete(secrets.resolve("azure/key"));

    String missing = "key \"key\" of Secret or ConfigMap \"azure\" is not mounted or not readable";
    assertThatThrownBy(() -> search(CutCall.unhurried())).hasMessage(missing);
    assertThat(backend.missing()).containsExactly(missing);
    assertThat(server.connectionsOpened()).isZero();
  }

  @ParameterizedTest(name = "{0} is one failure: {1}")
  @CsvSource({
    "ERROR_SHAPED_200,INVALID_ANSWER",
    "GARBAGE,INVALID_ANSWER",
    "TRUNCATED_JSON,INVALID_ANSWER",
    "NOT_A_NUMBER,INVALID_ANSWER",
    "INFINITE_NUMBER,INVALID_ANSWER",
    "ENDLESS_BODY,INVALID_ANSWER",
    "RESET,UNAVAILABLE",
    "RESET_IN_BODY,UNAVAILABLE",
    "HALF_CLOSE,UNAVAILABLE",
    "REDIRECT,REFUSED"
  })
  void a_fault(Fault.Kind fault, Kind expected) {
    server.script("*", Behaviour.faulty(fault));

    assertThatThrownBy(() -> search(CutCall.unhurried()))
        .isInstanceOfSatisfying(
            BackendException.class,
            failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(expected));
    assertThat(server.exchanges()).hasSize(1);
  }

  @ParameterizedTest(name = "cut off in {0}, the connection is closed")
  @ValueSource(strings = {"HANG_BEFORE_HEADERS", "HANG_IN_BODY", "SLOW_DRIP"})
  void cutting(Fault.Kind fault) {
    server.script("*", Behaviour.faulty(fault));
    CutCall call = CutCall.unhurried();

    call.assertCutOff(server, () -> answer(call), call::interrupt);
  }

  @Test
  void a_warm_up_calls_nobody_but_itself_whatever_the_fields_are_called() throws Exception {
    backend.close();
    backend =
        AzureSearchBackend.open(
            AzurePlans.search(
                server.url(""), "library", "idField", "chunk_id", "contentField", "chunk"),
            secrets);

    backend.warmUp();

    assertThat(server.connectionsOpened()).isZero();
  }

  @Test
  void it_serves_no_rerank() {
    assertThatThrownBy(() -> backend.port(StageType.RERANK))
        .hasMessage("backends[docs] is azureSearch and serves no Rerank");
  }

  private PassagesFound search(CutCall call) throws Exception {
    return call.run(() -> answer(call));
  }

  private PassagesFound answer(CutCall call) throws Exception {
    return backend
        .port(StageType.SEARCH)
        .search(call.stageCall(), new SearchQuery("When opens the reading room?", null, 2, true));
  }
}
