package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.documents.DocumentLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the embedded backends run.
 *
 * @param documents the folder to index; null where only the embedder is used
 * @param limits what of the folder is taken at most
 * @param threads runs of the model that go side by side; more than there are cores only slows each
 * @param vectorBytes heap for the vectors of pieces and sentences, about 60 KB a passage; passages
 *     beyond it are encoded again whenever they are reranked
 * @param retryEvery how often a missing folder is looked at again
 * @param warmUp questions asked before the backends are ready; titles of the passages are asked too
 */
public record EmbeddedSettings(
    @Nullable Path documents,
    DocumentLimits limits,
    int threads,
    long vectorBytes,
    Duration retryEvery,
    List<String> warmUp) {
  public EmbeddedSettings {
    warmUp = List.copyOf(warmUp);
  }

  /** One thread a core, a quarter of the heap for vectors, a missing folder tried every 2 s. */
  public static EmbeddedSettings of(@Nullable Path documents, List<String> warmUp) {
    Runtime machine = Runtime.getRuntime();
    return new EmbeddedSettings(
        documents,
        DocumentLimits.DEFAULT,
        machine.availableProcessors(),
        machine.maxMemory() / 4,
        Duration.ofSeconds(2),
        warmUp);
  }
}
