package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import dev.ragjourney.backends.embedded.minilm.UnitVectors;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.VectorUtil;

/**
 * A question's word pieces, to be matched with passages by late interaction: each piece with the
 * passage's most similar one.
 */
record QuestionPieces(List<Piece> pieces) {
  QuestionPieces {
    pieces = List.copyOf(pieces);
  }

  // Never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Piece(byte[] vector, double weight) {}

  /** The pieces that say something; all of them for a question of stop words alone. */
  static QuestionPieces of(Encoded question, PieceWeights weights) {
    List<Piece> pieces = new ArrayList<>();
    List<Piece> others = new ArrayList<>();
    for (int i = 0; i < question.size(); i++) {
      byte[] vector = UnitVectors.bytes(question.mean(i, i + 1));
      Piece piece = new Piece(vector, weights.of(question.pieces()[i]));
      (PassageVectors.meaningful(question, i) ? pieces : others).add(piece);
    }
    return new QuestionPieces(pieces.isEmpty() ? others : pieces);
  }

  /** Σ weight × max cosine / Σ weight, from −1 to 1, the weight being the piece's rarity. */
  double match(PassageVectors passage) {
    double sum = 0;
    double weights = 0;
    for (Piece piece : pieces) {
      int best = Integer.MIN_VALUE;
      for (byte[] candidate : passage.pieces()) {
        best = Math.max(best, VectorUtil.dotProduct(piece.vector, candidate));
      }
      sum += piece.weight * (passage.pieces().isEmpty() ? -1 : best * UnitVectors.BYTES_TO_COSINE);
      weights += piece.weight;
    }
    return Math.clamp(sum / weights, -1, 1);
  }
}
