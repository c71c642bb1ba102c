package dev.ragjourney.rebalance;

import dev.ragjourney.simulate.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A mixture of lognormal latencies. */
record Laws(List<Part> parts) {
  /**
   * @param weight of all parts together 1
   * @param median in seconds
   */
  record Part(double weight, double median, double sigma) {}

  static Laws lognormal(double median, double sigma) {
    return new Laws(List.of(new Part(1, median, sigma)));
  }

  /** The same law, but a share of its calls follows another one. */
  Laws or(double weight, double median, double sigma) {
    List<Part> all = new ArrayList<>();
    for (Part part : parts) {
      all.add(new Part(part.weight * (1 - weight), part.median, part.sigma));
    }
    all.add(new Part(weight, median, sigma));
    return new Laws(all);
  }

  /** So many times as slow. */
  Laws times(double factor) {
    return new Laws(
        parts.stream()
            .map(part -> new Part(part.weight, factor * part.median, part.sigma))
            .toList());
  }

  double longerThan(double seconds) {
    double longer = 0;
    for (Part part : parts) {
      double z = seconds <= 0 ? -9 : Math.log(seconds / part.median) / part.sigma;
      longer += part.weight * (1 - Normal.distribution(z));
    }
    return longer;
  }

  double draw(Random random) {
    double left = random.nextDouble();
    for (Part part : parts) {
      left -= part.weight;
      if (left < 0) {
        return part.median * Math.exp(part.sigma * random.nextGaussian());
      }
    }
    Part last = parts.getLast();
    return last.median * Math.exp(last.sigma * random.nextGaussian());
  }

  /** For pods. */
  Law law() {
    return new Law.Mixture(
        parts.stream()
            .map(
                part ->
                    new Law.Part(
                        part.weight,
                        new Law.Lognormal(Seconds.toDuration(part.median), part.sigma)))
            .toList());
  }

  CellLaw on(Grid grid) {
    double[] longer = new double[grid.last() + 2];
    for (int edge = 0; edge < longer.length; edge++) {
      longer[edge] = longerThan(edge * grid.step());
    }
    return CellLaw.ofLonger(longer);
  }
}
