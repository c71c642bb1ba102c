package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.IndexProgress.Failed;
import dev.ragjourney.backends.embedded.IndexProgress.Indexing;
import dev.ragjourney.backends.embedded.IndexProgress.LoadingModel;
import dev.ragjourney.backends.embedded.IndexProgress.Ready;
import dev.ragjourney.backends.embedded.IndexProgress.WaitingForDocuments;
import dev.ragjourney.backends.embedded.documents.Corpus;
import dev.ragjourney.backends.embedded.documents.DocumentFolder;
import dev.ragjourney.backends.embedded.documents.DocumentsUnavailableException;
import dev.ragjourney.backends.embedded.minilm.TextEncoder;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.Reranker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All embedded backends of a pod. They load and index in the background; until then each port fails
 * with NOT_READY, saying what is missing. One object serves all journeys, from many threads.
 */
public final class EmbeddedBackends implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBackends.class);

  private final EmbeddedSettings settings;
  private final Thread loader;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final VectorSource vectors = new VectorSource(this::readyEncoder, () -> this.index);
  private final PassageSearch search = new HybridSearch(this::readyIndex);
  private final Reranker reranker = new LateInteraction(vectors);
  private final Generator generator = new ExtractiveAnswerer(vectors);
  private volatile IndexProgress progress = new LoadingModel();
  private volatile @Nullable TextEncoder encoder;
  private volatile @Nullable EmbeddedIndex index;

  private EmbeddedBackends(EmbeddedSettings settings) {
    this.settings = settings;
    loader = Thread.ofPlatform().daemon().name("embedded-index").unstarted(this::load);
  }

  /** Returns at once; {@link #progress} tells how far the loading is. */
  public static EmbeddedBackends open(EmbeddedSettings settings) {
    EmbeddedBackends backends = new EmbeddedBackends(settings);
    backends.loader.start();
    return backends;
  }

  /** Vectors of 384 components and length 1. */
  public Embedder embedder() {
    return (call, text) -> vectors.question(call, text).pooled();
  }

  public PassageSearch search() {
    return search;
  }

  public Reranker reranker() {
    return reranker;
  }

  public Generator generator() {
    return generator;
  }

  public IndexProgress progress() {
    return progress;
  }

  private void load() {
    try {
      long started = System.nanoTime();
      TextEncoder loaded = TextEncoder.load(settings.threads());
      encoder = loaded;
      LOG.info("embedding model loaded in {} ms", millisSince(started));
      Path documents = settings.documents();
      if (documents == null) {
        warmUp(List.of());
        progress = new Ready(0, 0, Duration.ZERO, List.of());
      } else {
        indexWhenThere(loaded, documents);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.error("embedded backends cannot be used", e);
      progress = new Failed("embedded backends cannot be used: " + e.getMessage());
    }
  }

  private void indexWhenThere(TextEncoder loaded, Path documents)
      throws IOException, InterruptedException {
    String lastReason = "";
    do {
      try {
        long started = System.nanoTime();
        Corpus corpus = DocumentFolder.read(documents, settings.limits());
        index(loaded, corpus, started);
        return;
      } catch (DocumentsUnavailableException e) {
        String reason = String.valueOf(e.getMessage());
        progress = new WaitingForDocuments(reason);
        if (!reason.equals(lastReason)) {
          LOG.warn("documents are missing: {}", reason);
          lastReason = reason;
        }
      }
    } while (!closing.await(settings.retryEvery().toMillis(), TimeUnit.MILLISECONDS));
  }

  private void index(TextEncoder loaded, Corpus corpus, long started)
      throws IOException, InterruptedException {
    corpus.problems().forEach(problem -> LOG.warn("document left out: {}", problem));
    int total = corpus.passages().size();
    progress = new Indexing(0, total);
    IndexBuilder builder =
        new IndexBuilder(
            loaded, settings.vectorBytes(), done -> progress = new Indexing(done, total));
    index = builder.build(corpus.passages());
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    warmUp(corpus.passages().stream().map(passage -> passage.title()).distinct().toList());
    LOG.info("{} passages indexed in {} ms", total, took.toMillis());
    progress = new Ready(corpus.documents(), total, took, corpus.problems());
  }

  private void warmUp(List<String> titles) throws InterruptedException {
    new WarmUp(this).run(settings.warmUp(), titles);
  }

  private TextEncoder readyEncoder() throws BackendException {
    TextEncoder current = encoder;
    if (current == null) {
      throw notReady();
    }
    return current;
  }

  private EmbeddedIndex readyIndex() throws BackendException {
    EmbeddedIndex current = index;
    if (current == null) {
      throw settings.documents() == null
          ? new BackendException(
              BackendException.Kind.NOT_READY, "embedded search needs documents; none are declared")
          : notReady();
    }
    return current;
  }

  private BackendException notReady() {
    return new BackendException(BackendException.Kind.NOT_READY, progress.text());
  }

  private static long millisSince(long started) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
  }

  @Override
  public void close() throws IOException {
    closing.countDown();
    loader.interrupt();
    try {
      loader.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    TextEncoder loaded = encoder;
    if (loaded != null) {
      loaded.close();
    }
    EmbeddedIndex current = index;
    if (current != null) {
      current.close();
    }
  }
}
