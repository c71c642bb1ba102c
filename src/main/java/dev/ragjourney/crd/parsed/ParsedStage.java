package dev.ragjourney.crd.parsed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one stage runs.
 *
 * @param name the stage's name
 * @param forms the first is {@code v0}, the full one
 * @param fallback the form that runs when the primary is late or failed; null for none
 * @param speculative the keyword search that starts with the question; null for none
 */
public record ParsedStage(
    String name,
    List<StageForm> forms,
    @Nullable StageForm fallback,
    @Nullable StageForm speculative) {
  public ParsedStage {
    forms = List.copyOf(forms);
  }
}
