package dev.ragjourney.crd;

import java.util.List;

/** The tables of specs, for tests that walk through them. */
public final class SpecTable {
  private SpecTable() {}

  /** YAML of specs that the reader takes, for a journey of any name. */
  public static List<String> valid() {
    return ValidSpecs.all().stream()
        .filter(row -> row.journey().equals("faq"))
        .map(SpecCase::spec)
        .toList();
  }

  /** YAML of specs that the reader refuses. */
  public static List<String> invalid() {
    return InvalidSpecs.all().stream()
        .filter(row -> row.journey().equals("faq"))
        .map(SpecCase::spec)
        .toList();
  }
}
