package dev.ragjourney.backends.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.backends.embedded.documents.DocumentLimits;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.SearchQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBackendsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  private EmbeddedSettings settings(Path documents) {
    return new EmbeddedSettings(
        documents, DocumentLimits.DEFAULT, 2, 1 << 24, Duration.ofMillis(20), List.of());
  }

  @Test
  void documents_that_come_later_are_indexed_without_a_restart() throws Exception {
    Path documents = folder.resolve("documents");
    try (EmbeddedBackends backends = EmbeddedBackends.open(settings(documents))) {
      await()
          .atMost(PATIENCE)
          .until(() -> backends.progress() instanceof IndexProgress.WaitingForDocuments);
      assertThat(backends.progress().text()).contains("does not exist");
      assertThatThrownBy(
              () ->
                  backends.search().search(Calls.patient(), new SearchQuery("tea", null, 3, false)))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("does not exist")
          .extracting(e -> ((BackendException) e).kind())
          .isEqualTo(BackendException.Kind.NOT_READY);

      Files.createDirectory(documents);
      await()
          .atMost(PATIENCE)
          .until(() -> backends.progress().text().contains("no txt, md, html or jsonl file"));
      Files.writeString(documents.resolve("tea.txt"), "Tea\n\nSteep green tea at 70 °C.", UTF_8);
      await().atMost(PATIENCE).until(() -> backends.progress().ready());

      SearchQuery query = new SearchQuery("green tea", null, 3, false);
      assertThat(backends.search().search(Calls.patient(), query).passages())
          .extracting(passage -> passage.id())
          .containsExactly("tea.txt#1");
    }
  }

  @Test
  void without_documents_only_the_embedder_works_and_the_search_says_why() throws Exception {
    try (EmbeddedBackends backends = EmbeddedBackends.open(EmbeddedSettings.of(null, List.of()))) {
      await().atMost(PATIENCE).until(() -> backends.progress().ready());
      assertThat(backends.embedder().embed(Calls.patient(), "green tea")).hasSize(384);
      assertThatThrownBy(
              () ->
                  backends.search().search(Calls.patient(), new SearchQuery("tea", null, 3, false)))
          .hasMessageContaining("none are declared");
    }
  }

  @Test
  void what_computes_says_so_and_is_kept_off_the_threads_that_journeys_wait_on() throws Exception {
    try (EmbeddedBackends backends = EmbeddedBackends.open(EmbeddedSettings.of(null, List.of()))) {
      assertThat(backends.search().holdsCarrier()).isTrue();
      assertThat(backends.reranker().holdsCarrier()).isTrue();
      assertThat(backends.generator().holdsCarrier()).isTrue();
    }
  }
}
