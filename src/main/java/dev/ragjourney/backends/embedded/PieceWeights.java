package dev.ragjourney.backends.embedded;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/**
 * How much each word piece tells passages apart.
 *
 * @param passages how many were counted
 * @param countByPiece in how many of them a piece occurs
 */
record PieceWeights(int passages, Map<String, Integer> countByPiece) {
  PieceWeights {
    countByPiece = Map.copyOf(countByPiece);
  }

  /** ln(1 + (N − n + ½) / (n + ½)); the same for all pieces where nothing was counted. */
  double of(String piece) {
    int n = countByPiece.getOrDefault(piece, 0);
    return Math.log(1 + (passages - n + 0.5) / (n + 0.5));
  }

  static final class Counter {
    private final Map<String, Integer> counts = new HashMap<>();
    private int passages;

    void add(Encoded encoded) {
      passages++;
      new HashSet<>(Arrays.asList(encoded.pieces()))
          .forEach(piece -> counts.merge(piece, 1, Integer::sum));
    }

    PieceWeights weights() {
      return new PieceWeights(passages, counts);
    }
  }
}
