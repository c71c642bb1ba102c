package dev.ragjourney.crd;

import org.jspecify.annotations.Nullable;

/**
 * One row of the table that both the reader and a real API server are held to.
 *
 * @param sentence what the row says
 * @param journey the resource's name
 * @param spec YAML
 * @param path where the reader finds something; null for a valid spec
 * @param reason what it finds; null for a valid spec
 * @param refusedByServer the API server refuses it too, by schema, by CEL or as an unknown field
 */
record SpecCase(
    String sentence,
    String journey,
    String spec,
    @Nullable String path,
    @Nullable String reason,
    boolean refusedByServer) {
  static SpecCase valid(String sentence, String spec) {
    return new SpecCase(sentence, "faq", spec, null, null, false);
  }

  /** Refused by the reader and by the API server. */
  static SpecCase refused(String sentence, String spec, String path, String reason) {
    return new SpecCase(sentence, "faq", spec, path, reason, true);
  }

  /** Refused by the reader; the API server cannot say it. */
  static SpecCase refusedByReader(String sentence, String spec, String path, String reason) {
    return new SpecCase(sentence, "faq", spec, path, reason, false);
  }

  SpecCase named(String name) {
    return new SpecCase(sentence, name, spec, path, reason, refusedByServer);
  }

  @Override
  public String toString() {
    return sentence;
  }
}
