package dev.ragjourney.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one stage runs.
 *
 * @param name the stage's name
 * @param variants its forms; the first is {@code v0}, the full one
 * @param fallback the form that runs when the primary is late or failed; null for none
 * @param speculative the keyword search that starts with the question; null for none
 */
public record StagePlan(
    String name,
    List<VariantPlan> variants,
    @Nullable VariantPlan fallback,
    @Nullable VariantPlan speculative) {
  public StagePlan {
    variants = List.copyOf(variants);
  }
}
