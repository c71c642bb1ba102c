package dev.ragjourney.backends.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.plan.BackendPlan;
import org.jspecify.annotations.Nullable;

/** Reads embeddings: every component finite, as many as declared. */
public final class Vectors {
  private Vectors() {}

  /**
   * The declared number of components; null where none is declared.
   *
   * @throws IllegalArgumentException if it is no positive number
   */
  public static @Nullable Integer declaredDimension(BackendPlan plan) {
    String declared = plan.settings().get("dimensions");
    if (declared == null) {
      return null;
    }
    if (!declared.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(
          plan.path("dimensions") + " is \"" + declared + "\", must be a whole number above 0");
    }
    return Integer.valueOf(declared);
  }

  public static float[] of(String backend, JsonNode array, @Nullable Integer dimension)
      throws BackendException {
    if (!array.isArray()) {
      throw Failures.invalid(backend, "the answer holds no vector");
    }
    float[] vector = new float[array.size()];
    for (int i = 0; i < vector.length; i++) {
      JsonNode component = array.get(i);
      vector[i] = component.isNumber() ? component.floatValue() : Float.NaN;
    }
    return checked(backend, vector, dimension);
  }

  public static float[] checked(String backend, float[] vector, @Nullable Integer dimension)
      throws BackendException {
    if (vector.length == 0) {
      throw Failures.invalid(backend, "the vector is empty");
    }
    if (dimension != null && vector.length != dimension) {
      throw Failures.invalid(
          backend, "the vector has " + vector.length + " components, " + dimension + " declared");
    }
    for (int i = 0; i < vector.length; i++) {
      if (!Float.isFinite(vector[i])) {
        throw Failures.invalid(backend, "component " + i + " of the vector is no finite number");
      }
    }
    return vector;
  }
}
