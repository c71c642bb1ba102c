package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassageSearch;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/**
 * Searches the index by words (BM25 over title and text) and by vector, and merges both by
 * reciprocal rank. Scores: Σ 1 / (60 + rank), at most 0.033; by words alone, BM25.
 *
 * <p>No text is a query language here: a question is only ever words.
 */
final class HybridSearch implements PassageSearch {
  /** Each of the two lists is read at least this deep before they are merged. */
  private static final int DEPTH = 50;

  private static final int RRF_K = 60;
  private static final float TITLE_WEIGHT = 2;

  /** A passage whose cosine with the question is lower is not about it. */
  static final float LOWEST_COSINE = 0.2f;

  private final ReadyIndex index;

  HybridSearch(ReadyIndex index) {
    this.index = index;
  }

  /** It computes; only the model runs on threads of its own. */
  @Override
  public boolean holdsCarrier() {
    return true;
  }

  @Override
  public boolean searchesBoth() {
    return true;
  }

  @Override
  public PassagesFound search(StageCall call, SearchQuery query) throws Exception {
    call.check();
    EmbeddedIndex current = index.get();
    if (query.topK() <= 0) {
      return PassagesFound.whole(List.of());
    }
    IndexSearcher searcher = current.searcher();
    searcher.setTimeout(() -> over(call));
    int depth = Math.max(DEPTH, query.topK());
    TopDocs words = byWords(searcher, query.text(), depth);
    // A search that ran out of time may look like an empty one: only our own clock tells.
    call.check();
    float[] vector = query.keywordOnly() ? null : query.vector();
    TopDocs found = words;
    if (vector != null) {
      TopDocs near = byVector(searcher, vector, depth);
      call.check();
      found = near.scoreDocs.length == 0 ? words : merged(words, near, query.topK());
    }
    return PassagesFound.whole(passages(current, searcher, found, query.topK()));
  }

  private static boolean over(StageCall call) {
    return call.cancellation().cancelled() || call.remainingNanos() <= 0;
  }

  private static TopDocs byWords(IndexSearcher searcher, String text, int depth)
      throws IOException {
    SequencedSet<String> terms = QuestionTerms.of(EmbeddedIndex.ANALYZER, text);
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    for (String term : terms) {
      Query either =
          new CombinedFieldQuery.Builder(term)
              .addField(EmbeddedIndex.TITLE, TITLE_WEIGHT)
              .addField(EmbeddedIndex.TEXT)
              .build();
      any.add(either, BooleanClause.Occur.SHOULD);
    }
    return searcher.search(any.build(), depth);
  }

  private static TopDocs byVector(IndexSearcher searcher, float[] vector, int depth)
      throws IOException, BackendException {
    if (vector.length != Encoded.DIMENSION) {
      throw new BackendException(
          Kind.REFUSED,
          "the question's vector has "
              + vector.length
              + " dimensions, the embedded index has "
              + Encoded.DIMENSION
              + ": embed with the embedded backend, or search by keyword only");
    }
    for (float component : vector) {
      if (!Float.isFinite(component)) {
        throw new BackendException(Kind.REFUSED, "the question's vector is not finite");
      }
    }
    TopDocs near =
        searcher.search(new KnnFloatVectorQuery(EmbeddedIndex.VECTOR, vector, depth), depth);
    ScoreDoc[] close =
        Arrays.stream(near.scoreDocs)
            .filter(hit -> 2 * hit.score - 1 >= LOWEST_COSINE)
            .toArray(ScoreDoc[]::new);
    return new TopDocs(near.totalHits, close);
  }

  private static TopDocs merged(TopDocs words, TopDocs near, int topK) {
    return TopDocs.rrf(topK, RRF_K, new TopDocs[] {words, near});
  }

  private static List<Passage> passages(
      EmbeddedIndex index, IndexSearcher searcher, TopDocs found, int topK)
      throws IOException, CallCancelledException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    List<Passage> passages = new ArrayList<>();
    for (ScoreDoc hit : found.scoreDocs) {
      if (passages.size() == topK) {
        break;
      }
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
      NumericDocValues numbers = DocValues.getNumeric(leaf.reader(), EmbeddedIndex.NUMBER);
      numbers.advance(hit.doc - leaf.docBase);
      passages.add(index.passage((int) numbers.longValue()).withScore(hit.score));
    }
    return passages;
  }
}
