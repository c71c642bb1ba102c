package dev.ragjourney.crd.spec;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Shares;

/** Spellings of the resource's strings, as patterns of its schema. */
public final class Shape {
  public static final String DURATION = Durations.PATTERN;
  public static final String SHARE = Shares.PATTERN;

  /** A percentage that may exceed the whole. */
  public static final String GROWTH = "^[0-9]{1,4}%$";

  /** A DNS label that begins with a letter. */
  public static final String NAME = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

  /** The token of an HTTP header's name. */
  public static final String HEADER = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$";

  /** 0 to 2 with at most two decimals. */
  public static final String TEMPERATURE = "^([01](\\.[0-9]{1,2})?|2(\\.0{1,2})?)$";

  private Shape() {}
}
