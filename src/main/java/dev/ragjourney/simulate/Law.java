package dev.ragjourney.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long the calls of a backend take, and which of them fail. */
public sealed interface Law {
  /**
   * @param sigma of the logarithm, at least 0
   */
  record Lognormal(Duration median, double sigma) implements Law {}

  record Exponential(Duration mean) implements Law {}

  record Constant(Duration time) implements Law {}

  /** Calls that never end by themselves. */
  record Hang() implements Law {}

  /**
   * Calls of which some fail, after the time that they would have taken.
   *
   * @param ratio share of the calls that fail, 0 to 1
   */
  record Failing(double ratio, Law of) implements Law {}

  /** Calls of several kinds. */
  record Mixture(List<Part> parts) implements Law {
    public Mixture {
      parts = List.copyOf(parts);
    }
  }

  /**
   * @param weight share of the calls; those of all parts together are 1
   */
  record Part(double weight, Law law) {}

  /** A law without failures and parts: a share of the calls, of which some fail. */
  record Shape(Law law, double weight, double failing) {}

  /** The law as a sum of plain ones. */
  default List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    switch (this) {
      case Mixture(List<Part> parts) -> {
        for (Part part : parts) {
          for (Shape shape : part.law().shapes()) {
            double weight = part.weight();
            shapes.add(new Shape(shape.law(), weight * shape.weight(), weight * shape.failing()));
          }
        }
      }
      case Failing(double ratio, Law of) -> {
        for (Shape shape : of.shapes()) {
          double failing = ratio * shape.weight() + (1 - ratio) * shape.failing();
          shapes.add(new Shape(shape.law(), shape.weight(), failing));
        }
      }
      case Lognormal _, Exponential _, Constant _, Hang _ -> shapes.add(new Shape(this, 1, 0));
    }
    return shapes;
  }
}
