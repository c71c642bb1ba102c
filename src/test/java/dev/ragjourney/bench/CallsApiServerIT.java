package dev.ragjourney.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operator asks for each object once, before it makes it, and never again")
class CallsApiServerIT {
  private static final int JOURNEYS = 25;
  private static final Duration STILL = Duration.ofSeconds(2);

  /** What every journey has. */
  private static final List<String> KINDS =
      List.of("configmaps", "deployments", "poddisruptionbudgets", "serviceaccounts", "services");

  private ScaleRun run;

  @BeforeEach
  void connect() throws Exception {
    String kubeconfig = System.getenv("RAGJOURNEY_TEST_KUBECONFIG");
    assertThat(kubeconfig).as("RAGJOURNEY_TEST_KUBECONFIG").isNotNull();
    run = new ScaleRun(Path.of(kubeconfig), "counted-calls");
  }

  @Test
  void a_creation_takes_one_read_and_one_write_of_each_object_and_a_restart_takes_none()
      throws Exception {
    run.create(0, JOURNEYS);
    run.startOperator();
    run.awaitWritten(JOURNEYS);
    run.awaitRest(STILL);
    Map<String, Long> calls = run.calls().take();
    assertThat(of("get", calls)).as("reads of a creation").isEqualTo(each(JOURNEYS));
    assertThat(of("patch", calls)).as("writes of a creation").isEqualTo(each(JOURNEYS));

    run.stopOperator();
    run.startOperator();
    run.awaitReconciles(JOURNEYS);
    run.awaitRest(STILL);
    calls = run.calls().take();
    assertThat(of("get", calls)).as("reads of a restart").isEqualTo(each(0));
    assertThat(of("patch", calls)).as("writes of a restart").isEqualTo(each(0));
    assertThat(of("list", calls)).as("lists of a restart").isEqualTo(each(1));

    double before = run.reconciles();
    run.round();
    run.awaitReconciles(before + JOURNEYS);
    run.awaitRest(STILL);
    calls = run.calls().take();
    assertThat(of("get", calls)).as("reads of a round").isEqualTo(each(0));
    assertThat(of("list", calls)).as("lists of a round").isEqualTo(each(0));
    assertThat(of("patch", calls)).as("writes of a round without a move").isEqualTo(each(0));
  }

  private static Map<String, Long> of(String verb, Map<String, Long> calls) {
    return KINDS.stream()
        .collect(
            Collectors.toMap(
                Function.identity(), kind -> calls.getOrDefault(verb + " " + kind, 0L)));
  }

  private static Map<String, Long> each(long number) {
    return KINDS.stream().collect(Collectors.toMap(Function.identity(), kind -> number));
  }

  @AfterEach
  void stop() {
    run.close();
  }
}
