package dev.ragjourney.cli;

import dev.ragjourney.simulate.Law;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a law of latencies from a scenario. */
final class LawReader {
  private static final Set<String> KINDS =
      new TreeSet<>(Set.of("lognormal", "exponential", "constant", "hang", "error", "mixture"));

  private static final double WIDEST = 10;

  /** Weights that are off by less were only rounded. */
  private static final double ROUNDED = 1e-3;

  /** Laws within laws: more is a mistake. */
  private static final int DEEPEST = 10;

  private LawReader() {}

  /** Null where it is wrong; what is wrong is told. */
  static @Nullable Law read(Field field) {
    return read(field, 0);
  }

  private static @Nullable Law read(Field field, int depth) {
    if (!field.given() || !field.node().isObject() || field.node().size() != 1) {
      field.problem(
          "is "
              + (field.given() ? field.shown() : "missing")
              + "; a law is one of "
              + String.join(", ", KINDS)
              + ", like {lognormal: {median: 120ms, sigma: \"0.5\"}}");
      return null;
    }
    if (depth > DEEPEST) {
      field.problem("has laws within laws more than " + DEEPEST + " deep");
      return null;
    }
    Map.Entry<String, Field> law = field.fields().entrySet().iterator().next();
    Field of = law.getValue();
    return switch (law.getKey()) {
      case "lognormal" -> lognormal(of);
      case "exponential" -> {
        Duration mean = of.only(Set.of("mean")).at("mean").duration(false);
        yield mean == null ? null : new Law.Exponential(mean);
      }
      case "constant" -> {
        Duration time = of.duration(true);
        yield time == null ? null : new Law.Constant(time);
      }
      case "hang" -> {
        of.only(Set.of());
        yield new Law.Hang();
      }
      case "error" -> failing(of, depth);
      case "mixture" -> mixture(of, depth);
      default -> {
        of.problem("is no law; the laws are " + String.join(", ", KINDS));
        yield null;
      }
    };
  }

  private static @Nullable Law lognormal(Field of) {
    of.only(Set.of("median", "sigma"));
    Duration median = of.at("median").duration(false);
    if (!of.at("sigma").given()) {
      of.at("sigma").problem("is missing; a number from 0, like \"0.5\", says how wide the law is");
      return null;
    }
    double sigma = of.at("sigma").number(0, WIDEST, 0);
    return median == null ? null : new Law.Lognormal(median, sigma);
  }

  private static @Nullable Law failing(Field of, int depth) {
    of.only(Set.of("ratio", "of"));
    if (!of.at("ratio").given()) {
      of.at("ratio").problem("is missing; the share of the calls that fail, like \"0.05\"");
      return null;
    }
    double ratio = of.at("ratio").number(0, 1, 0);
    Law law = read(of.at("of"), depth + 1);
    return law == null ? null : new Law.Failing(ratio, law);
  }

  private static @Nullable Law mixture(Field of, int depth) {
    List<Law.Part> parts = new ArrayList<>();
    double sum = 0;
    boolean sound = true;
    for (Field item : of.items()) {
      item.only(Set.of("weight", "law"));
      if (!item.at("weight").given()) {
        item.at("weight").problem("is missing; the share of the calls, like \"0.96\"");
        sound = false;
      }
      double weight = item.at("weight").number(0, 1, 0);
      Law law = read(item.at("law"), depth + 1);
      sum += weight;
      sound &= law != null;
      if (law != null) {
        parts.add(new Law.Part(weight, law));
      }
    }
    if (sound && Math.abs(sum - 1) > ROUNDED) {
      of.problem("has weights that add up to " + (float) sum + "; together they are 1");
      return null;
    }
    double all = sum;
    return sound
        ? new Law.Mixture(
            parts.stream().map(part -> new Law.Part(part.weight() / all, part.law())).toList())
        : null;
  }
}
