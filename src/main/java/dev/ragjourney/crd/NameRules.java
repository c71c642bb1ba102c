package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.Shape;
import java.util.regex.Pattern;

/** A journey's name becomes the name of a Service and a label's value. */
final class NameRules {
  /** Room for the suffix of the plan's ConfigMap within 63 characters. */
  static final int MAX_LENGTH = 45;

  private static final Pattern NAME = Pattern.compile(Shape.NAME);

  private NameRules() {}

  static void check(String name, Findings findings) {
    if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
      findings.invalid(
          "metadata.name",
          "'%s' cannot name Services and labels; use at most %d lowercase letters, digits and '-', a letter first and no '-' last."
              .formatted(name, MAX_LENGTH));
    }
  }
}
