package dev.ragjourney.plan;

import java.util.Map;

/**
 * What a level uses.
 *
 * @param name the level's name
 * @param variants variant id by stage name, for the stages that run in another form than {@code v0}
 */
public record LevelPlan(String name, Map<String, String> variants) {
  public LevelPlan {
    variants = Map.copyOf(variants);
  }
}
