package dev.ragjourney.backends.cache;

import org.apache.lucene.util.VectorUtil;

/**
 * A vector's direction in one byte a component, scaled so that its largest one is 127: a quarter of
 * the memory, and a cosine that is off by less than 0.005.
 *
 * @param inverseLength 1 / the length of the bytes; 0 for a vector without direction
 */
// Never compared or changed.
@SuppressWarnings("ArrayRecordComponent")
record CoarseVector(byte[] bytes, float inverseLength) {
  static CoarseVector of(float[] vector) {
    float largest = 0;
    for (float component : vector) {
      largest = Math.max(largest, Math.abs(component));
    }
    byte[] bytes = new byte[vector.length];
    double squares = 0;
    for (int i = 0; i < bytes.length && largest > 0; i++) {
      bytes[i] = (byte) Math.round(vector[i] / largest * 127);
      squares += bytes[i] * bytes[i];
    }
    return new CoarseVector(bytes, squares == 0 ? 0 : (float) (1 / Math.sqrt(squares)));
  }

  /** −1 to 1; −1 for vectors of different dimensions. */
  double cosine(CoarseVector other) {
    return bytes.length != other.bytes.length
        ? -1
        : VectorUtil.dotProduct(bytes, other.bytes) * (double) inverseLength * other.inverseLength;
  }
}
