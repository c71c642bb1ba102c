package dev.ragjourney.crd.parsed;

import java.util.Map;

/**
 * What a level uses.
 *
 * @param name the level's name
 * @param variants form by stage name, for the stages that run in another form than {@code v0}
 */
public record ParsedLevel(String name, Map<String, String> variants) {
  public ParsedLevel {
    variants = Map.copyOf(variants);
  }
}
