package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.UnitVectors;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.Reranker;
import dev.ragjourney.pipeline.StageCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.util.VectorUtil;

/**
 * Reranks by late interaction: each word piece of the question is matched with the passage's most
 * similar one. Score: Σ weight × max cosine / Σ weight, from −1 to 1, the weight being the piece's
 * rarity. Equal passages keep their order.
 */
final class LateInteraction implements Reranker {
  private final VectorSource vectors;

  LateInteraction(VectorSource vectors) {
    this.vectors = vectors;
  }

  @Override
  public PassagesFound rerank(StageCall call, String question, List<Passage> passages)
      throws CallCancelledException, BackendException {
    call.check();
    if (passages.isEmpty()) {
      return PassagesFound.whole(passages);
    }
    List<Piece> pieces = pieces(vectors.question(call, question), vectors.weights());
    List<Passage> scored = new ArrayList<>(passages.size());
    for (Passage passage : passages) {
      call.check();
      scored.add(passage.withScore(score(pieces, vectors.passage(call, passage).pieces())));
    }
    // A stable sort: equal scores keep the search's order.
    scored.sort(Comparator.comparingDouble(Passage::score).reversed());
    return PassagesFound.whole(scored);
  }

  // Never compared.
  @SuppressWarnings("ArrayRecordComponent")
  private record Piece(byte[] vector, double weight) {}

  private static List<Piece> pieces(Encoded question, PieceWeights weights) {
    List<Piece> pieces = new ArrayList<>();
    List<Piece> others = new ArrayList<>();
    for (int i = 0; i < question.size(); i++) {
      byte[] vector = UnitVectors.bytes(question.mean(i, i + 1));
      Piece piece = new Piece(vector, weights.of(question.pieces()[i]));
      (PassageVectors.meaningful(question, i) ? pieces : others).add(piece);
    }
    // A question of stop words alone still has a meaning.
    return pieces.isEmpty() ? others : pieces;
  }

  private static double score(List<Piece> question, List<byte[]> passage) {
    double sum = 0;
    double weights = 0;
    for (Piece piece : question) {
      int best = Integer.MIN_VALUE;
      for (byte[] candidate : passage) {
        best = Math.max(best, VectorUtil.dotProduct(piece.vector, candidate));
      }
      sum += piece.weight * (passage.isEmpty() ? -1 : best * UnitVectors.BYTES_TO_COSINE);
      weights += piece.weight;
    }
    return Math.clamp(sum / weights, -1, 1);
  }
}
