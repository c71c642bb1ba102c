package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.TextEncoder;
import dev.ragjourney.pipeline.Passage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Embeds passages on all of the encoder's threads and writes the index. */
final class IndexBuilder {
  /** Passages under way for each thread: none waits for work, and results stay few. */
  private static final int AHEAD = 4;

  private final TextEncoder encoder;
  private final long vectorBytes;
  private final IntConsumer progress;

  /**
   * @param vectorBytes heap for the vectors of pieces and sentences; passages beyond it are encoded
   *     again when they are reranked
   * @param progress told how many passages are done
   */
  IndexBuilder(TextEncoder encoder, long vectorBytes, IntConsumer progress) {
    this.encoder = encoder;
    this.vectorBytes = vectorBytes;
    this.progress = progress;
  }

  EmbeddedIndex build(List<Passage> passages) throws IOException, InterruptedException {
    Directory directory = new ByteBuffersDirectory();
    Map<String, EmbeddedIndex.Stored> storedById = new HashMap<>();
    PieceWeights.Counter counter = new PieceWeights.Counter();
    Deque<Future<Encoded>> underWay = new ArrayDeque<>();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(EmbeddedIndex.ANALYZER))) {
      int submitted = 0;
      long used = 0;
      for (int number = 0; number < passages.size(); number++) {
        while (submitted < passages.size() && underWay.size() < AHEAD * encoder.threads()) {
          underWay.add(encoder.submit(PassageVectors.modelText(passages.get(submitted++))));
        }
        Passage passage = passages.get(number);
        Encoded encoded = encoded(underWay.remove());
        counter.add(encoded);
        PassageVectors vectors = PassageVectors.of(passage, encoded);
        used += vectors.bytes();
        if (used <= vectorBytes) {
          storedById.put(passage.id(), new EmbeddedIndex.Stored(passage, vectors));
        }
        writer.addDocument(document(number, passage, encoded));
        progress.accept(number + 1);
      }
      // One segment: one graph to search, and the same order of equals every time.
      writer.forceMerge(1);
    } finally {
      underWay.forEach(future -> future.cancel(false));
    }
    DirectoryReader reader = DirectoryReader.open(directory);
    return new EmbeddedIndex(directory, reader, passages, storedById, counter.weights());
  }

  private static Encoded encoded(Future<Encoded> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("the embedding model failed on a passage", e.getCause());
    }
  }

  private static Document document(int number, Passage passage, Encoded encoded) {
    Document document = new Document();
    document.add(new NumericDocValuesField(EmbeddedIndex.NUMBER, number));
    document.add(new TextField(EmbeddedIndex.TITLE, passage.title(), Field.Store.NO));
    document.add(new TextField(EmbeddedIndex.TEXT, passage.text(), Field.Store.NO));
    document.add(
        new KnnFloatVectorField(
            EmbeddedIndex.VECTOR, encoded.pooled(), VectorSimilarityFunction.DOT_PRODUCT));
    return document;
  }
}
