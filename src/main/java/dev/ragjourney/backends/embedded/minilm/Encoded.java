package dev.ragjourney.backends.embedded.minilm;

/**
 * A text as the model sees it.
 *
 * @param pieces the word pieces, the two marks at the ends included
 * @param starts where in the text each piece begins; −1 for the marks
 * @param ends where it ends
 * @param vectors one row of {@link #DIMENSION} components a piece
 */
// Handed to one reader and never compared: a copy would only cost time.
@SuppressWarnings("ArrayRecordComponent")
public record Encoded(String[] pieces, int[] starts, int[] ends, float[][] vectors) {
  public static final int DIMENSION = 384;

  public int size() {
    return pieces.length;
  }

  /** The text's own vector: the mean over all pieces, of length 1. */
  public float[] pooled() {
    return mean(0, size());
  }

  /** The mean over the pieces from (inclusive) to (exclusive), of length 1; zero for none. */
  public float[] mean(int from, int to) {
    float[] sum = new float[DIMENSION];
    for (int piece = from; piece < to; piece++) {
      float[] vector = vectors[piece];
      for (int i = 0; i < sum.length; i++) {
        sum[i] += vector[i];
      }
    }
    return UnitVectors.normalized(sum);
  }
}
