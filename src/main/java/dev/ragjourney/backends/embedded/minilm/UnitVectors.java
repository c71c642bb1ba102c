package dev.ragjourney.backends.embedded.minilm;

/** Vectors of length 1, as floats or as bytes of which 127 means 1. */
public final class UnitVectors {
  /** A dot product of two byte vectors times this is their cosine. */
  public static final float BYTES_TO_COSINE = 1f / (127 * 127);

  private UnitVectors() {}

  /** Scales in place; a vector of length 0 stays. */
  public static float[] normalized(float[] vector) {
    double squares = 0;
    for (float component : vector) {
      squares += (double) component * component;
    }
    if (squares > 0) {
      float scale = (float) (1 / Math.sqrt(squares));
      for (int i = 0; i < vector.length; i++) {
        vector[i] *= scale;
      }
    }
    return vector;
  }

  /** Each component rounded to 1/127; off by at most 0.004, a cosine by about 0.002. */
  public static byte[] bytes(float[] unit) {
    byte[] bytes = new byte[unit.length];
    for (int i = 0; i < unit.length; i++) {
      bytes[i] = (byte) Math.round(unit[i] * 127);
    }
    return bytes;
  }
}
