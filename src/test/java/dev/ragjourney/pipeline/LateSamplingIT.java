package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.backends.http.HttpBackend;
import dev.ragjourney.backends.http.RemoteBackend;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.support.Backends;
import dev.ragjourney.support.Questions;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that go on after their cut, as the backend sees them at its socket. */
@Timeout(60)
class LateSamplingIT {
  private static final int JOURNEYS = 10;
  private static final double ANSWER_MS = 1_500;

  /** The bounds are generous on purpose: they tell a cut from an answer, and measure nothing. */
  private static final long LONG_BEFORE_THE_ANSWER = Duration.ofMillis(1_200).toNanos();

  @TempDir Path secrets;

  private final RealMachinery machinery = new RealMachinery();
  private final Recording told = new Recording();
  private final JourneyRunner runner = new JourneyRunner(machinery, told);
  private ScriptedBackend server;
  private RemoteBackend docs;

  @BeforeEach
  void start() throws IOException {
    server = ScriptedBackend.start();
    docs = HttpBackend.open(Backends.plan("docs", "http", server.url("/http/search")), secrets);
    server.script("search", Behaviour.delayed(ANSWER_MS));
  }

  @AfterEach
  void nothing_is_left_behind() throws IOException {
    await().until(() -> machinery.wheel().armed() == 0);
    await().untilAsserted(() -> assertThat(runner.load().inFlight().values()).containsOnly(0));
    docs.close();
    server.close();
    machinery.close();
  }

  /** A search with a cap of 300 ms. */
  private Route route(String total, double lateShare) {
    return Routes.of(BudgetDraft.of(total).stages(search().cap("300ms"), generate().floor("300ms")))
        .form("search", Routes.topK(Routes.form("docs", docs.port(StageType.SEARCH)), 3))
        .port(
            "generate",
            (Generator)
                (call, prompt, sink) -> {
                  sink.accept("Well.");
                  return new Completion("stop", null, null);
                })
        .policy(
            new JourneyPolicy(
                Enforcement.ENFORCE, false, 0, null, new LearningPolicy(lateShare, 0)))
        .route();
  }

  private List<Answer> ask(Route route, int journeys) throws Exception {
    runner.prepare(route);
    List<Future<Answer>> asked = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < journeys; i++) {
        asked.add(
            threads.submit(
                () ->
                    runner.run(
                        route,
                        Questions.asked(machinery.time().nanos(), null, false),
                        text -> {},
                        Cancellation.NONE)));
      }
    }
    List<Answer> answers = new ArrayList<>();
    for (Future<Answer> answer : asked) {
      answers.add(answer.get());
    }
    return answers;
  }

  private long exchanges(Exchange.Ending ending) {
    return server.exchanges().stream().filter(e -> e.ending() == ending).count();
  }

  @Test
  void the_connections_of_sampled_calls_stay_open_until_the_answer_those_of_others_do_not()
      throws Exception {
    List<Answer> answers = ask(route("20s", 1), JOURNEYS);

    assertThat(answers).allMatch(a -> a.latencyNanos() < LONG_BEFORE_THE_ANSWER);
    assertThat(answers).allMatch(a -> a.skipped().getFirst().reason().equals("timeout"));
    await().until(() -> exchanges(Exchange.Ending.OPEN) == 0);
    assertThat(exchanges(Exchange.Ending.ANSWERED)).isEqualTo(LateSampling.MOST);
    assertThat(server.exchanges())
        .filteredOn(e -> e.ending() == Exchange.Ending.CLOSED_BY_CLIENT)
        .hasSize(JOURNEYS - LateSampling.MOST)
        .allMatch(e -> e.lasted().toNanos() < LONG_BEFORE_THE_ANSWER);
    await().until(() -> told.late.size() == LateSampling.MOST);
    assertThat(told.late)
        .allMatch(late -> late.outcome() == StageOutcome.SUCCESS)
        .allMatch(late -> late.elapsedNanos() >= ANSWER_MS * 1e6);
    assertThat(told.ends.stream().filter(end -> end.stage().equals("search")))
        .hasSize(JOURNEYS)
        .allMatch(end -> end.cut() == Cut.CAP && end.elapsedNanos() < LONG_BEFORE_THE_ANSWER);
  }

  @Test
  void without_sampling_every_connection_is_closed_at_the_cut() throws Exception {
    ask(route("20s", 0), JOURNEYS);

    await().until(() -> exchanges(Exchange.Ending.CLOSED_BY_CLIENT) == JOURNEYS);
    assertThat(server.exchanges()).allMatch(e -> e.lasted().toNanos() < LONG_BEFORE_THE_ANSWER);
  }

  @Test
  void at_the_journeys_total_the_connection_is_closed() throws Exception {
    ask(route("800ms", 1), 1);
    await().until(() -> exchanges(Exchange.Ending.CLOSED_BY_CLIENT) == 1);

    await().until(() -> told.late.size() == 1);
    assertThat(told.late.getFirst().outcome()).isEqualTo(StageOutcome.TIMEOUT);
    assertThat(told.late.getFirst().elapsedNanos()).isGreaterThanOrEqualTo(800_000_000L);
  }

  @Test
  void a_pod_that_goes_away_closes_them() throws Exception {
    server.script("search", Behaviour.delayed(30_000));
    ask(route("20s", 1), 2);
    assertThat(exchanges(Exchange.Ending.OPEN)).isEqualTo(2);
    assertThat(runner.load().inFlight()).containsEntry("docs", 2);

    runner.endLearning();

    await().until(() -> exchanges(Exchange.Ending.CLOSED_BY_CLIENT) == 2);
    assertThat(told.late).as("nothing is known of their time").isEmpty();
  }
}
