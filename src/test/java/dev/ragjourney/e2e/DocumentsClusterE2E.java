package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What two pods with an embedded index know, and when. */
@DisplayName("Documents that come late, and that change, are read without a restart")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentsClusterE2E {
  private static final String NAMESPACE = "library";
  private static final String HOURS = "When does the library close on Fridays?";
  private static final String EARLY = "On Fridays the library closes at five o'clock.";
  private static final String LATE = "On Fridays the library closes at nine o'clock.";

  private Cluster cluster;
  private OpenLoopClient client;
  private Journey library;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    client = new OpenLoopClient();
    cluster.runOperator();
    cluster.freshNamespace(NAMESPACE);
    library = new Journey(cluster, NAMESPACE, "library");
  }

  @Test
  @DisplayName(
      "without documents the status names them; when they come they are served; when they change"
          + " every pod answers from the new text, and no answer is lost")
  void documents_are_awaited_served_and_read_again() throws Exception {
    cluster.apply(Path.of("src/test/resources/e2e/library.yaml"), NAMESPACE);
    await("status names the documents")
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(
            () -> {
              assertThat(library.condition("Ready").reason()).isEqualTo("DocumentsMissing");
              assertThat(library.condition("Ready").message()).contains("library-documents");
            });
    Cluster.report("Without documents: " + library.condition("Ready").message());

    cluster.apply(documents(EARLY));
    cluster.refreshMounts(library);
    library.awaitCondition("Ready", "True", Duration.ofSeconds(120));
    List<String> pods = library.starts();
    assertThat(pods).hasSize(2);
    for (URI pod : library.podAddresses()) {
      assertThat(answer(pod)).contains("five o'clock");
    }

    long start = System.nanoTime();
    try (Background load =
        client.askUntilStopped(
            "while documents change", library.podAddresses(), new Arrivals(10_000, 5, 71))) {
      cluster.apply(documents(LATE));
      cluster.refreshMounts(library);
      await("every pod answers from the new text")
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(
              () -> {
                for (URI pod : library.podAddresses()) {
                  assertThat(answer(pod)).contains("nine o'clock").doesNotContain("five o'clock");
                }
              });
      Cluster.report(
          "Changed documents are on every pod after %d ms"
              .formatted(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
      LoadReport report = load.stop();
      Cluster.report(report.toString());
      assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
    }
    assertThat(library.starts()).as("pods, and how often they started").isEqualTo(pods);
  }

  private String answer(URI pod) {
    Reply reply = client.ask(pod, HOURS);
    assertThat(reply.answered()).as("%s", reply).isTrue();
    return reply.body().path("content").asText();
  }

  private static ConfigMap documents(String fridays) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName("library-documents")
        .endMetadata()
        .withData(
            Map.of(
                "hours.md",
                "# Opening hours\n\nThe library opens at eight every day. " + fridays + "\n",
                "books.md",
                "# Lending\n\nA book may be kept for four weeks. Each may be renewed twice.\n"))
        .build();
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.show("library-status.yaml", "get", "rj", "-n", NAMESPACE, "-o", "yaml");
      cluster.keepLogs(NAMESPACE);
      cluster.kubectl("delete", "rj,deployment,service", "--all", "--namespace=" + NAMESPACE);
    }
    Cluster.closeAll(client, cluster);
  }
}
