package dev.ragjourney.crd.parsed;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a level uses.
 *
 * @param name the level's name
 * @param variants form by stage name, for the stages that run in another form than {@code v0}
 * @param hint for a chat UI when an answer of this level is degraded; null for the journey's own
 */
public record ParsedLevel(String name, Map<String, String> variants, @Nullable String hint) {
  public ParsedLevel {
    variants = Map.copyOf(variants);
  }
}
