package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.Shape;

/** What the reference calls a string of a certain pattern. */
final class Spelling {
  private Spelling() {}

  static String of(String pattern) {
    return switch (pattern) {
      case Shape.DURATION -> "duration";
      case Shape.SHARE -> "share";
      case Shape.GROWTH -> "whole percentage";
      case Shape.NAME -> "name";
      case Shape.HEADER -> "header name";
      case Shape.TEMPERATURE -> "number as text";
      case Shape.JDBC_URL -> "JDBC address";
      default -> throw new IllegalArgumentException("A pattern without a word: " + pattern);
    };
  }
}
