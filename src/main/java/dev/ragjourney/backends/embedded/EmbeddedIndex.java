package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.Passage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** The passages of one folder, searchable by words and by vectors. Immutable; in memory. */
final class EmbeddedIndex implements Closeable {
  static final String TITLE = "title";
  static final String TEXT = "text";
  static final String VECTOR = "vector";
  static final String NUMBER = "number";

  /** Thread-safe, and the same for documents and questions. */
  static final Analyzer ANALYZER = new EnglishAnalyzer();

  /** A passage and its vectors. */
  record Stored(Passage passage, PassageVectors vectors) {}

  private final Directory directory;
  private final DirectoryReader reader;
  private final List<Passage> passages;
  private final Map<String, Stored> storedById;
  private final PieceWeights weights;

  EmbeddedIndex(
      Directory directory,
      DirectoryReader reader,
      List<Passage> passages,
      Map<String, Stored> storedById,
      PieceWeights weights) {
    this.directory = directory;
    this.reader = reader;
    this.passages = List.copyOf(passages);
    this.storedById = Map.copyOf(storedById);
    this.weights = weights;
  }

  /** A searcher of its own for each request: the time limit is the searcher's state. */
  IndexSearcher searcher() {
    return new IndexSearcher(reader);
  }

  Passage passage(int number) {
    return passages.get(number);
  }

  int size() {
    return passages.size();
  }

  /** The vectors of a passage of this index; null for any other, or where memory did not do. */
  @Nullable PassageVectors vectors(Passage passage) {
    Stored stored = storedById.get(passage.id());
    if (stored == null
        || !stored.passage.text().equals(passage.text())
        || !stored.passage.title().equals(passage.title())) {
      return null;
    }
    return stored.vectors;
  }

  PieceWeights weights() {
    return weights;
  }

  /** How much a word tells passages apart: ln(1 + (N − n + ½) / (n + ½)). */
  double rarity(String term) {
    try {
      int n = reader.docFreq(new Term(TEXT, term));
      return Math.log(1 + (reader.numDocs() - n + 0.5) / (n + 0.5));
    } catch (IOException e) {
      // The index is in memory.
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
