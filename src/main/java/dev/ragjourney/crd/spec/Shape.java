package dev.ragjourney.crd.spec;

import dev.ragjourney.budget.Durations;

/** Spellings of the resource's strings, as patterns of its schema. */
public final class Shape {
  public static final String DURATION = Durations.PATTERN;

  /** A percentage of at most the whole. */
  public static final String SHARE = "^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)%$";

  /** A percentage that may exceed the whole. */
  public static final String GROWTH = "^[0-9]{1,4}%$";

  /** A DNS label that begins with a letter. */
  public static final String NAME = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

  /** The token of an HTTP header's name. */
  public static final String HEADER = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$";

  /** 0 to 2 with at most two decimals. */
  public static final String TEMPERATURE = "^([01](\\.[0-9]{1,2})?|2(\\.0{1,2})?)$";

  /** PostgreSQL's JDBC address; neither user nor parameters, which could hold a password. */
  public static final String JDBC_URL = "^jdbc:postgresql://[^@?/]+/[^@?/]+$";

  /** The longest name of a stage, level or backend. */
  public static final int NAME_LENGTH = 40;

  /** The longest spelling of a duration. */
  public static final int DURATION_LENGTH = 20;

  private Shape() {}

  /** What would be right, for a message: of patterns that no parser complains about itself. */
  public static String rightSpelling(String pattern) {
    return switch (pattern) {
      case GROWTH -> "write a whole percentage, like 35%";
      case HEADER -> "write the name of an HTTP header, like x-tenant";
      case TEMPERATURE -> "write a number from 0 to 2 with at most two decimals, like 0.7";
      case JDBC_URL ->
          "write an address like jdbc:postgresql://db.example:5432/corpus, without user or parameters";
      default -> "it must match " + pattern;
    };
  }
}
